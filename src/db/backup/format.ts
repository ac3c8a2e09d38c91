import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Type, type Static, type Schema } from '../../values/schema/type.ts'
import { fits } from '../../values/schema/check.ts'
import { codeOf } from '../../values/thrown.ts'

/**
 * A backup is a gzip file of frames: one character, the length as four bytes, and the content. First the header, then for
 * each table its name, its rows in the format of COPY, and their number and checksum; last the summary. Names and bounds
 * become part of statements, so any that do not match the patterns are rejected.
 *
 * The export of one organisation is the same with only its rows, and ends with a code that authenticates all frames before
 * it under the key of the export.
 */
export const FRAMES = { header: 'H', table: 'T', data: 'D', table_end: 'E', summary: 'Z', code: 'A' } as const
export type FrameKind = keyof typeof FRAMES

export const FORMAT = 2
/** Format 1 differs only in its schema, which is of the numbering before the first release. */
export const FORMER_FORMAT = 1
/** The export of one organisation. */
export const ORGANISATION_FORMAT = 3
const MAX_FRAME_BYTES = 1024 * 1024
const HEAD = 5
const CHUNK = 256 * 1024

const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })
const ID = "(MINVALUE|'[0-9a-f-]{36}')"
const Count = Type.Integer({ minimum: 0 })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const Partition = Type.Object({
  name: Name,
  parent: Name,
  bound: Type.String({ pattern: `^(DEFAULT|FOR VALUES FROM \\(${ID}\\) TO \\(${ID}\\))$` }),
  fillfactor: Type.Union([Type.Integer({ minimum: 10, maximum: 100 }), Type.Null()]),
})
export type Partition = Static<typeof Partition>

const Id = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

export const ExportedOrganisation = Type.Object({
  id: Id,
  /** Its test twin. */
  test_id: Id,
  name: Type.String({ maxLength: 200 }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  /** Whether it was closed in the installation that it was exported from. */
  is_closed: Type.Boolean(),
  /** Identifies the keys that SMPP passwords and auth tokens are made with, without containing them. */
  keys_mark: Type.String({ pattern: '^[0-9a-f]{16}$' }),
})
export type ExportedOrganisation = Static<typeof ExportedOrganisation>

export const Header = Type.Object({
  gangan_backup: Type.Integer(),
  schema: Type.Integer({ minimum: 1 }),
  postgres: Type.String({ maxLength: 100 }),
  created_datetime: Type.String({ maxLength: 40 }),
  /** Identifies the pepper of its sealed secrets, without containing it. */
  pepper_mark: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  partitions: Type.Array(Partition, { maxItems: 10_000 }),
  /** Of an export. */
  organisation: Type.Optional(ExportedOrganisation),
})
export type Header = Static<typeof Header>

export const TableBegin = Type.Object({ table: Name, columns: Type.Array(Name, { minItems: 1, maxItems: 1_600 }) })
export type TableBegin = Static<typeof TableBegin>

export const TableEnd = Type.Object({ table: Name, rows: Count, bytes: Count, sha256: Hash })
export type TableEnd = Static<typeof TableEnd>

export const Summary = Type.Object({
  tables: Count,
  rows: Count,
  sequences: Type.Array(Type.Object({ name: Name, last_value: Type.String({ pattern: '^\\d{1,19}$' }) }), {
    maxItems: 1_000,
  }),
})
export type Summary = Static<typeof Summary>

/** A file that is not a backup, is incomplete, or is not for this build. */
export class UnusableBackup extends Error {}

export function frame(kind: FrameKind, content: Buffer | object): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  if (bytes.length > MAX_FRAME_BYTES) throw new Error(`a frame of a backup has ${bytes.length} bytes`)
  return Buffer.concat([headOf(FRAMES[kind], bytes.length), bytes])
}

function headOf(kind_code: string, length: number): Buffer {
  const head = Buffer.alloc(HEAD)
  head.write(kind_code, 'latin1')
  head.writeUInt32BE(length, 1)
  return head
}

/** The parts of a backup, in their order. */
export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'table'; table: TableBegin }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'table_end'; end: TableEnd }
  | { kind: 'summary'; summary: Summary }
  | { kind: 'code' }

/** The key of an export: its mark, which the header has, and what authenticates the file. */
export type FileKey = { pepper_mark: string; code_key: Buffer }

export type ReadOptions = {
  /** Called with the number of bytes of the file that were read. */
  onProgress?: ((bytes: number) => void) | undefined
  /** To read the export of an organisation; without it a backup is read. */
  key?: FileKey | undefined
}

/** Reads a backup part by part and verifies their order, the checksum of each table, and that the file is complete. */
export async function* readParts(file: string, { onProgress = () => {}, key }: ReadOptions = {}): AsyncGenerator<Part> {
  const order = followOrder(file, key)
  try {
    for await (const { kind_code, bytes } of readFrames(file, onProgress)) yield order.next(kind_code, bytes)
  } catch (fault) {
    const code = codeOf(fault) ?? ''
    if (code.startsWith('Z_')) throw order.begun() ? damaged(file) : noBackup(file)
    throw fault
  }
  if (!order.ended()) throw order.begun() ? damaged(file) : noBackup(file)
}

function followOrder(file: string, key: FileKey | undefined) {
  let state: 'start' | 'between' | 'table' | 'summarised' | 'end' = 'start'
  let table = ''
  let counted = { tables: 0, rows: 0, bytes: 0 }
  let hash = createHash('sha256')
  const authentication = key && createHmac('sha256', key.code_key)

  function next(kind_code: string, bytes: Buffer): Part {
    if (state === 'summarised' && kind_code === FRAMES.code) {
      const code = authentication?.digest()
      if (code?.length !== bytes.length || !timingSafeEqual(code, bytes)) throw damaged(file)
      state = 'end'
      return { kind: 'code' }
    }
    authentication?.update(headOf(kind_code, bytes.length)).update(bytes)
    if (state === 'start') {
      if (kind_code !== FRAMES.header) throw noBackup(file)
      const given = parse(bytes)
      if (isNewer(given))
        throw new UnusableBackup(`${file} was made by a newer release of Gangan: restore it with that.`)
      const header = shaped(Header, given)
      requireKind(file, header, key)
      state = 'between'
      return { kind: 'header', header }
    }
    if (state === 'table' && kind_code === FRAMES.data) {
      counted.bytes += bytes.length
      hash.update(bytes)
      return { kind: 'data', bytes }
    }
    if (state === 'table' && kind_code === FRAMES.table_end) {
      const end = shaped(TableEnd, parse(bytes))
      if (end.table !== table || end.bytes !== counted.bytes || end.sha256 !== hash.digest('hex')) throw damaged(file)
      counted = { tables: counted.tables + 1, rows: counted.rows + end.rows, bytes: 0 }
      hash = createHash('sha256')
      state = 'between'
      return { kind: 'table_end', end }
    }
    if (state === 'between' && kind_code === FRAMES.table) {
      const begin = shaped(TableBegin, parse(bytes))
      table = begin.table
      state = 'table'
      return { kind: 'table', table: begin }
    }
    if (state === 'between' && kind_code === FRAMES.summary) {
      const summary = shaped(Summary, parse(bytes))
      if (summary.tables !== counted.tables || summary.rows !== counted.rows) throw damaged(file)
      state = key ? 'summarised' : 'end'
      return { kind: 'summary', summary }
    }
    throw damaged(file)
  }

  function shaped<T extends Schema>(shape: T, value: unknown): Static<T> {
    if (!fits(shape, value)) throw damaged(file)
    return value
  }

  return { next, begun: () => state !== 'start', ended: () => state === 'end' }
}

async function* readFrames(
  file: string,
  onProgress: (bytes: number) => void,
): AsyncGenerator<{ kind_code: string; bytes: Buffer }> {
  const stored = createReadStream(file, { highWaterMark: CHUNK })
  // Errors of the file are thrown by the iteration.
  const opened: AsyncIterable<Buffer> = pipeline(stored, createGunzip({ chunkSize: CHUNK }), () => {})
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of opened) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at >= HEAD) {
      const length = rest.readUInt32BE(at + 1)
      if (length > MAX_FRAME_BYTES) throw noFrame()
      if (rest.length - at < HEAD + length) break
      yield { kind_code: rest.toString('latin1', at, at + 1), bytes: rest.subarray(at + HEAD, at + HEAD + length) }
      at += HEAD + length
    }
    rest = rest.subarray(at)
    onProgress(stored.bytesRead)
  }
  if (rest.length > 0) throw noFrame()
}

/** Like an error of gzip. */
function noFrame(): Error {
  return Object.assign(new Error('no frame of a backup'), { code: 'Z_NO_FRAME' })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

const Newer = Type.Object({ gangan_backup: Type.Integer({ minimum: ORGANISATION_FORMAT + 1 }) })

function isNewer(header: unknown): boolean {
  return fits(Newer, header)
}

/** A backup where one is wanted, an export where that is wanted, and with its own key. */
function requireKind(file: string, header: Header, key: FileKey | undefined): void {
  const is_export = header.gangan_backup === ORGANISATION_FORMAT
  if (is_export && !key) {
    throw new UnusableBackup(
      `${file} is the export of one organisation: gangan organisations restore puts it into an installation.`,
    )
  }
  if (!key) return
  if (!is_export) {
    throw new UnusableBackup(`${file} is the backup of a whole installation: gangan restore restores it.`)
  }
  if (!header.organisation) throw damaged(file)
  if (header.pepper_mark !== key.pepper_mark)
    throw new UnusableBackup(`The key is not the one that ${file} was made with.`)
}

function noBackup(file: string): UnusableBackup {
  return new UnusableBackup(`${file} is not a backup of Gangan.`)
}

function damaged(file: string): UnusableBackup {
  return new UnusableBackup(`${file} is damaged or truncated: use another backup.`)
}
