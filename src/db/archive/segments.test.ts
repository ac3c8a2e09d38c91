import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  compressSegments,
  fetchCommand,
  lastContiguous,
  listSegments,
  removeSegmentsBefore,
  timeOf,
} from './segments.ts'

const parent = mkdtempSync(join(tmpdir(), 'gangan-segments-'))
/** A name that a shell would take apart. */
const folder = join(parent, "it's 100% $HOME")
const never = new AbortController().signal

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
})
afterAll(() => rmSync(parent, { recursive: true }))

const segment = (log: number, number: number): string =>
  [1, log, number].map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('')

test('segments follow one another over the end of a log, until one is missing', () => {
  const archived = [segment(0, 253), segment(0, 254), segment(0, 255), segment(1, 0), segment(1, 2)].map((one) => ({
    segment: one,
    file: one,
  }))
  expect(lastContiguous(archived, segment(0, 254))?.segment).toBe(segment(1, 0))
  expect(lastContiguous(archived, segment(1, 2))?.segment).toBe(segment(1, 2))
  expect(lastContiguous(archived, segment(1, 1))).toBeUndefined()
})

test('a segment is compressed, keeps its time, and is fetched as it was', async () => {
  const content = Buffer.alloc(100_000, 'log')
  const [first, second] = [segment(0, 1), segment(0, 2)]
  writeFileSync(join(folder, first), content)
  utimesSync(join(folder, first), 1_700_000_000, 1_700_000_000)
  writeFileSync(join(folder, `${second}.gz.partial`), 'of a killed process')
  writeFileSync(join(folder, 'archtemp.0000.1.2'), 'being copied')
  await compressSegments(folder, never)
  expect(readdirSync(folder).sort()).toEqual([`${first}.gz`, `${second}.gz.partial`, 'archtemp.0000.1.2'])
  const archived = await listSegments(folder)
  expect(archived).toEqual([{ segment: first, file: `${first}.gz` }])
  expect(await timeOf(folder, { segment: first, file: first })).toBe(1_700_000_000_000)

  const fetched = join(parent, 'fetched')
  const fetch = (name: string): void => {
    const command = fetchCommand(folder).replaceAll('%f', name).replaceAll('%p', fetched).replaceAll('%%', '%')
    execFileSync('sh', ['-c', command])
  }
  fetch(first)
  expect(readFileSync(fetched)).toEqual(content)
  writeFileSync(join(folder, second), 'not compressed yet')
  fetch(second)
  expect(readFileSync(fetched, 'utf8')).toBe('not compressed yet')
  expect(() => fetch(segment(0, 3))).toThrow('Command failed')
})

test('segments before the oldest base backup are removed, with what belongs to them', async () => {
  const [first, second] = [segment(0, 255), segment(1, 0)]
  const kept = [second, `${second}.gz`, `${second}.00000028.backup`, 'note.txt', '00000002.history']
  for (const name of [first, `${first}.gz`, `${first}.00000028.backup`, ...kept]) writeFileSync(join(folder, name), '')
  await removeSegmentsBefore(folder, second)
  expect(readdirSync(folder).sort()).toEqual(kept.sort())
  expect(existsSync(join(folder, first))).toBe(false)
})
