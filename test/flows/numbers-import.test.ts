import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseAddress } from '../../src/db/connect.ts'
import { importRegistry, type ImportProgress, type ImportOptions } from '../../src/lookup/registry/import.ts'
import { makeKnowledge } from '../../src/numbers/knowledge.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'gangan-import-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await database.db`truncate ported_numbers, dnd_numbers, number_registries, number_imports`
  await rm(join(folder, 'list.csv.rejects.csv'), { force: true })
})

async function file(text: string): Promise<string> {
  const path = join(folder, 'list.csv')
  await writeFile(path, text)
  return path
}

async function load(
  text: string,
  wish: Partial<ImportOptions> = {},
  onProgress: (news: ImportProgress) => void = () => {},
) {
  const path = await file(text)
  return resume(path, wish, onProgress)
}

function resume(path: string, wish: Partial<ImportOptions>, onProgress: (news: ImportProgress) => void = () => {}) {
  const numbers = makeKnowledge({ db: database.db }, { cache_hours: 1, carrier_facts_days: 1 })
  const usual = { kind: 'ported' as const, mode: 'merge' as const, country: 'NG', rejects_file: `${path}.rejects.csv` }
  return importRegistry({ db: database.db, numbers }, { ...usual, file: path, ...wish }, onProgress)
}

const ported = async () =>
  (
    await database.db<
      { msisdn: string; operator: string }[]
    >`select msisdn, operator from ported_numbers order by msisdn`
  ).map(({ msisdn, operator }) => `${msisdn} ${operator}`)

describe('an import', () => {
  test('reads numbers and operators in common formats', async () => {
    const outcome = await load(
      '+234 803 123 4567,mtn nigeria\r\n08051234567,GLOBACOM\n"2348091234567","Etisalat, NG"\n\n',
    )
    expect(outcome).toEqual({ lines: 4, rejected: 0, numbers: 3, resumed_at: 0 })
    expect(await ported()).toEqual(['2348031234567 MTN', '2348051234567 Glo', '2348091234567 9mobile'])
  })

  test.each([
    ['commas', 'operator,date,msisdn\nMTN,2026-01-01,2348051234567\n'],
    ['semicolons and a byte order mark', '\ufeffNetwork;Phone number\nMTN;2348051234567'],
    ['tabs', 'msisdn\tported_to\n2348051234567\tMTN\n'],
  ])('finds the columns by their header: %s', async (_, text) => {
    expect(await load(text)).toMatchObject({ rejected: 0, numbers: 1 })
    expect(await ported()).toEqual(['2348051234567 MTN'])
  })

  test('of several lines for a number takes the last', async () => {
    await load('2348051234567,MTN\n2348051234567,Airtel\n')
    expect(await ported()).toEqual(['2348051234567 Airtel'])
  })

  test('keeps names with backslashes and Unicode characters', async () => {
    await load('254722123456,Back\\slash \\N\n254722123457,Télécom Ọ̀yọ́\n')
    expect(await ported()).toEqual(['254722123456 Back\\slash \\N', '254722123457 Télécom Ọ̀yọ́'])
  })

  test('merges into the registry, or replaces it', async () => {
    await load('2348051234567,MTN\n2348051234568,MTN\n')
    expect(await load('2348051234567,Airtel\n2348051234569,MTN\n')).toMatchObject({ lines: 2, numbers: 3 })
    expect(await ported()).toEqual(['2348051234567 Airtel', '2348051234568 MTN', '2348051234569 MTN'])
    expect(await load('2348051234560,9mobile\n', { mode: 'replace' })).toMatchObject({ numbers: 1 })
    expect(await ported()).toEqual(['2348051234560 9mobile'])
    // The new table has the old one's key, so the next merge finds conflicts again.
    expect(await load('2348051234560,MTN\n')).toMatchObject({ numbers: 1 })
    const indexes = await database.db`select indexname from pg_indexes where tablename = 'ported_numbers'`
    expect(indexes).toEqual([{ indexname: 'ported_numbers_pkey' }])
  })

  test('of the do-not-disturb list needs numbers only', async () => {
    await load('msisdn\n08051234567\n08051234567\n08051234568\n', { kind: 'dnd' })
    await load('08051234567\n08051234569\n', { kind: 'dnd' })
    expect(await database.db`select msisdn from dnd_numbers order by msisdn`).toHaveLength(3)
    await load('08051234569\n', { kind: 'dnd', mode: 'replace' })
    expect(await database.db`select msisdn from dnd_numbers`).toEqual([{ msisdn: 2348051234569n }])
    const registries = await database.db`select kind, numbers from number_registries`
    expect(registries).toEqual([{ kind: 'dnd', numbers: 1n }])
  })

  test('counts rejected lines and writes them to a file with the reason', async () => {
    const outcome = await load('msisdn,operator\n2348051234567,MTN\nnonsense,MTN\n08051234568,\n"a ""b""",x\n')
    expect(outcome).toEqual({ lines: 5, rejected: 3, numbers: 1, resumed_at: 0 })
    expect(await readFile(join(folder, 'list.csv.rejects.csv'), 'utf8')).toBe(
      'line,reason,text\r\n3,not a phone number,"nonsense,MTN"\r\n4,no operator,"08051234568,"\r\n' +
        '5,not a phone number,"""a """"b"""""",x"\r\n',
    )
  })

  test.each([
    ['an empty file', ''],
    ['blank lines', '\n\n'],
    ['a header alone', 'msisdn,operator\n'],
    ['nonsense', 'a,b\nc,d\n'],
  ])('of %s leaves the registry unchanged', async (_, text) => {
    await load('2348051234567,MTN\n')
    await expect(load(text, { mode: 'replace' })).rejects.toThrow('No line of')
    expect(await ported()).toEqual(['2348051234567 MTN'])
  })

  test('rejects a file that is not CSV, and a second concurrent import', async () => {
    await expect(load('x'.repeat(200_000))).rejects.toThrow('is it CSV?')
    const path = await file('2348051234567,MTN\n')
    let second: Promise<unknown> | undefined
    await resume(path, {}, () => {
      second ??= resume(path, {}).catch((fault: unknown) => fault)
    })
    expect(await second).toMatchObject({ message: expect.stringContaining('in progress') })
  })
})

describe('an interrupted import', () => {
  const lines = Array.from({ length: 2_000 }, (_, n) => `${2_348_050_000_000 + n},${n % 100 === 7 ? '' : 'MTN'}`)
  const text = `${lines.join('\n')}\n`
  const block_bytes = 1_024

  async function interrupt(path: string): Promise<number> {
    let reached = 0
    const stopped = resume(path, { block_bytes }, ({ lines_done }) => {
      reached = lines_done
      if (lines_done > 800) throw new Error('the connection was lost')
    })
    await expect(stopped).rejects.toThrow('the connection was lost')
    return reached
  }

  test('resumes where it stopped, with the same rejects and registry', async () => {
    const path = await file(text)
    const reached = await interrupt(path)
    expect(await ported()).toEqual([])
    const seen: number[] = []
    const outcome = await resume(path, { block_bytes }, ({ lines_done }) => seen.push(lines_done))
    expect(seen[0]).toBe(reached)
    expect(outcome).toEqual({ lines: 2_000, rejected: 20, numbers: 1_980, resumed_at: reached })
    const rejects = (await readFile(`${path}.rejects.csv`, 'utf8')).trim().split('\n')
    expect(rejects.map((line) => Number.parseInt(line, 10)).slice(1)).toEqual(
      Array.from({ length: 20 }, (_, n) => 100 * n + 8),
    )
  })

  test('restarts on request, or if the file has changed', async () => {
    const path = await file(text)
    await interrupt(path)
    expect(await resume(path, { block_bytes, restart: true })).toMatchObject({ resumed_at: 0, numbers: 1_980 })
    await interrupt(path)
    expect(await load(text.replace('2348050000000', '2348060000000'))).toMatchObject({ resumed_at: 0, lines: 2_000 })
  })
})

/** The embedded server listens on a socket, which has no place in a URL. */
function environment(address: DatabaseAddress): NodeJS.ProcessEnv {
  if ('url' in address) return { DATABASE_URL: address.url }
  const { host, port, user, password, database: name } = address
  const rest = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password }
  return { DATABASE_URL: `postgres:///${name}`, ...rest }
}

const gangan = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, ...environment(database.address) }
    const command = ['--import', 'tsx', 'src/main.ts', 'numbers', ...args]
    execFile(process.execPath, command, { env }, (fault, stdout, stderr) => {
      resolve({ code: fault ? Number(fault.code) : 0, stdout, stderr })
    })
  })

/** Each command is a process, which is slow on a busy machine. */
const PATIENCE_MS = 120_000

describe('gangan numbers', () => {
  test('imports, shows the progress, and lists', { timeout: PATIENCE_MS }, async () => {
    const path = await file('2348051234567,MTN\nbad\n')
    const imported = await gangan('import', '--kind', 'ported', '--replace', path)
    expect(imported.code).toBe(0)
    expect(imported.stderr).toContain('100 %  2 lines')
    expect(imported.stdout).toMatch(
      /^2 lines in .* peak memory \d+ MB; the ported registry has 1 numbers\.\n1 lines were rej/,
    )
    const listed = await gangan('list')
    expect(listed.stdout).toMatch(/^registry +numbers +imported\nported +1 +20\d\d-/)
  })

  test('reports an error in one sentence', { timeout: PATIENCE_MS }, async () => {
    const [missing, unsaid] = await Promise.all([
      gangan('import', '--kind', 'dnd', join(folder, 'none.csv')),
      gangan('import', 'x.csv'),
    ])
    expect([missing.code, missing.stderr]).toEqual([
      3,
      `gangan: ${join(folder, 'none.csv')} cannot be used (ENOENT).\n`,
    ])
    expect(unsaid.stderr).toContain('Say gangan numbers import --kind ported FILE')
  })
})
