import { createHash } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import type { Db } from '../../db/connect.ts'
import { transactionWithCopy } from '../../db/copy.ts'
import { onOneConnection, transaction } from '../../db/transaction.ts'
import type { NumberKnowledge } from '../../numbers/knowledge.ts'
import { dialPlan } from '../../values/phone/phone.ts'
import { csvLine } from '../../values/csv-write.ts'
import { readBlocks, type Block } from './blocks.ts'
import {
  allowHeavyWork,
  beginImport,
  copyLines,
  endImport,
  findProgress,
  hasLines,
  lockImport,
  mergeLines,
  replaceByLines,
  saveProgress,
  unlockImport,
  type Mode,
  type Progress,
} from './import-store.ts'
import { makeLineReader, readLayout, type LineReader, type RegistryKind } from './lines.ts'

export type ImportOptions = {
  kind: RegistryKind
  mode: Mode
  file: string
  rejects_file: string
  /** National numbers are read as numbers of this country. */
  country: string
  /** Starts from the beginning even if an import of this file was interrupted. */
  restart?: boolean
  block_bytes?: number
}

export type ImportProgress = {
  bytes_done: number
  bytes_total: number
  lines_done: number
  rejected: number
  /** All lines are read; now the registry is updated. */
  finishing: boolean
}

export type ImportOutcome = { lines: number; rejected: number; numbers: number; resumed_at: number }

export class ImportInProgress extends Error {
  constructor(kind: RegistryKind) {
    super(`Another import of the ${kind} registry is in progress.`)
  }
}

export class NothingUsable extends Error {
  constructor(file: string) {
    super(`No line of ${file} could be used, so the registry stays as it is.`)
  }
}

const BLOCK_BYTES = 256 * 1024
/** Blocks per transaction: the most that is repeated after an interruption. */
const BLOCKS_PER_STEP = 16
const HEAD_BYTES = 64 * 1024

type Deps = { db: Db; numbers: Pick<NumberKnowledge, 'table' | 'spellOperator'> }

/**
 * Imports a registry from a CSV file. Lines are copied in steps; each is one transaction that also stores the progress, so
 * that an interrupted import resumes there. Only the last step changes the registry itself.
 */
export async function importRegistry(
  deps: Deps,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportOutcome> {
  return onOneConnection(deps.db, async (connection) => {
    if (!(await lockImport(connection, options.kind))) throw new ImportInProgress(options.kind)
    try {
      return await withFile(options.file, (file) => importFile(deps, options, file, onProgress))
    } finally {
      await unlockImport(connection, options.kind)
    }
  })
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

async function importFile(
  { db, numbers }: Deps,
  options: ImportOptions,
  file: FileHandle,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportOutcome> {
  const { kind } = options
  const { size, head, fingerprint } = await inspect(file, options)
  const layout = readLayout(head.split(/\r?\n/, 1)[0] ?? '')
  const readLine = makeLineReader(numbers, kind, layout, dialPlan(options.country))
  const header_lines = layout.has_header ? 1 : 0
  const resumed = options.restart ? undefined : await findProgress(db, kind, fingerprint)
  if (!resumed) {
    await rm(options.rejects_file, { force: true })
    await transaction(db, (tx) => beginImport(tx, kind, fingerprint, options.mode))
  }
  let done: Progress = resumed ?? { bytes_done: 0n, lines_done: 0n, rejected: 0n, rejects_bytes: 0n }
  const reportProgress = (finishing = false): void =>
    onProgress({
      bytes_done: Number(done.bytes_done),
      bytes_total: size,
      lines_done: Number(done.lines_done),
      rejected: Number(done.rejected),
      finishing,
    })
  reportProgress()
  for await (const step of steps(readBlocks(file, Number(done.bytes_done), options.block_bytes ?? BLOCK_BYTES))) {
    done = await importStep(db, options, step, done, header_lines, readLine)
    reportProgress()
  }
  // Otherwise an empty or wrong file would empty the registry.
  if (!(await hasLines(db, kind))) throw new NothingUsable(options.file)
  reportProgress(true)
  const count = await transaction(db, async (tx) => {
    await allowHeavyWork(tx)
    await (options.mode === 'replace' ? replaceByLines(tx, kind) : mergeLines(tx, kind))
    return endImport(tx, kind)
  })
  return {
    lines: Number(done.lines_done),
    rejected: Number(done.rejected),
    numbers: Number(count),
    resumed_at: Number(resumed?.lines_done ?? 0n),
  }
}

async function inspect(
  file: FileHandle,
  options: ImportOptions,
): Promise<{ size: number; head: string; fingerprint: string }> {
  const { size, mtimeMs } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  const bytes = buffer.subarray(0, bytesRead)
  const fingerprint = createHash('sha256')
    .update(`${options.mode} ${options.country} ${size} ${mtimeMs}\n`)
    .update(bytes)
    .digest('hex')
  return { size, head: bytes.toString().replace(/^\ufeff/, ''), fingerprint }
}

async function* steps(blocks: AsyncGenerator<Block>): AsyncGenerator<Block[]> {
  let step: Block[] = []
  for await (const block of blocks) {
    step.push(block)
    if (step.length < BLOCKS_PER_STEP) continue
    yield step
    step = []
  }
  if (step.length > 0) yield step
}

/** Copies blocks in one transaction with the progress. Rejects are written to their file before the commit. */
async function importStep(
  db: Db,
  { kind, rejects_file }: ImportOptions,
  blocks: readonly Block[],
  before: Progress,
  header_lines: number,
  readLine: LineReader,
): Promise<Progress> {
  let line = Number(before.lines_done)
  const rejects: string[] = []

  async function* texts(): AsyncGenerator<string> {
    for (const { text } of blocks) {
      const rows = text.split('\n')
      rows.pop()
      let copied = ''
      for (const row of rows) {
        line += 1
        if (line <= header_lines || row.trim() === '') continue
        const read = readLine(row)
        if ('reason' in read) rejects.push(csvLine([String(line), read.reason, row.trimEnd()]))
        else copied += `${line}\t${read.msisdn}${kind === 'ported' ? `\t${escape(read.operator)}` : ''}\n`
      }
      yield copied
    }
  }

  return transactionWithCopy(db, async (tx, copy) => {
    await copyLines(copy, kind, texts())
    const done: Progress = {
      bytes_done: BigInt(blocks.at(-1)?.end ?? 0),
      lines_done: BigInt(line),
      rejected: before.rejected + BigInt(rejects.length),
      rejects_bytes: await appendRejects(rejects_file, before.rejects_bytes, rejects),
    }
    await saveProgress(tx, kind, done)
    return done
  })
}

function escape(operator: string): string {
  return operator.replaceAll('\\', '\\\\')
}

/** Writes at the stored position: an interrupted step may have left lines that are written again. */
async function appendRejects(path: string, from: bigint, rejects: readonly string[]): Promise<bigint> {
  if (rejects.length === 0) return from
  const file = await open(path, from === 0n ? 'w' : 'r+')
  try {
    const text = `${from === 0n ? csvLine(['line', 'reason', 'text']) : ''}${rejects.join('')}`
    const { bytesWritten } = await file.write(text, Number(from))
    await file.truncate(Number(from) + bytesWritten)
    return from + BigInt(bytesWritten)
  } finally {
    await file.close()
  }
}
