import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../src/values/group.ts'
import { DISTRIBUTED, ON_COORDINATOR } from '../src/db/cluster/tables.ts'
import { freshDatabase } from './support/database.ts'
import { emptyDatabase } from './support/empty-database.ts'
import { dumpSchema } from './support/schema-dump.ts'

/** Modules by layer, as in docs/architecture.md: a file imports from its own module and from lower layers. */
const LAYERS: Record<string, number> = {
  db: 0,
  values: 0,
  observe: 0,
  queue: 1,
  numbers: 1,
  media: 1,
  organisations: 2,
  billing: 2,
  callbacks: 2,
  carriers: 2,
  choice: 2,
  templates: 2,
  senders: 2,
  optouts: 2,
  users: 2,
  'sign-in': 3,
  hooks: 2,
  requests: 2,
  messaging: 3,
  blocklist: 3,
  prices: 3,
  'smpp-accounts': 3,
  otp: 4,
  airtime: 4,
  lookup: 4,
  contacts: 4,
  analytics: 4,
  margins: 4,
  evidence: 5,
  probes: 4,
  campaigns: 5,
  explain: 5,
  people: 5,
  status: 5,
  'live-config': 5,
  sealing: 6,
  transfer: 7,
  http: 6,
  'smpp-server': 6,
  /** Only the CLI starts them: layer 7, so that no module below and none of the wiring may import them. */
  emulators: 7,
  config: 7,
  'service.ts': 7,
  wiring: 7,
  'workers.ts': 7,
  'housekeeping.ts': 7,
  cli: 8,
  'main.ts': 8,
}
/** Modules of one layer that may import each other. */
const PEERS = [
  ['db', 'values', 'observe'],
  ['config', 'service.ts', 'wiring', 'workers.ts', 'housekeeping.ts'],
  ['cli', 'main.ts'],
]

const MAX_LINES = 300
/** A folder that fits on a screen. */
const MAX_FILES = 25

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const code = files.filter((file) => /^(src|console\/src)\/.*\.tsx?$/.test(file) && !file.includes('.test.'))
const sources = code.filter((file) => file.startsWith('src/'))

const moduleOf = (file: string): string => file.split('/')[1] ?? ''

const allImports = code.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gms)].map(
    (match) => ({ file, target: normalize(join(dirname(file), match[1] ?? match[2] ?? '')) }),
  ),
)
const imports = allImports.filter(({ file }) => file.startsWith('src/'))

/** What the console imports from outside of its own folder, and how. */
const borrowed = files
  .filter((file) => /^console\/src\/.*\.tsx?$/.test(file))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(import|export)(\s+type)?\b[^'"`;]*?['"`](\.[^'"`]+)['"`]/g)].map(
      ([, word, type, path = '']) => ({
        file,
        how: `${word}${type ?? ''}`,
        target: normalize(join(dirname(file), path)),
      }),
    ),
  )
  .filter(({ target }) => !target.startsWith('console/'))

function findCycles(edges: readonly { file: string; target: string }[]): string[] {
  const targets = groupBy(edges, ({ file }) => file)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '))
    if (done.has(node) || path.includes(node)) return
    for (const { target } of targets.get(node) ?? []) visit(target, [...path, node])
    done.add(node)
  }
  for (const node of targets.keys()) visit(node, [])
  return cycles
}

describe('the codebase', () => {
  test('is found by this test', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(150)
  })

  test('has a layer for every module', () => {
    expect([...new Set(sources.map(moduleOf))].filter((module) => LAYERS[module] === undefined)).toEqual([])
  })

  test('imports only from lower layers', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [moduleOf(file), moduleOf(target)]
      if (from === to || PEERS.some((modules) => modules.includes(from) && modules.includes(to))) return false
      return (LAYERS[to] ?? 99) >= (LAYERS[from] ?? -1)
    })
    expect(wrong).toEqual([])
  })

  test('has no import cycle between files, not even of types', () => {
    expect(findCycles(allImports)).toEqual([])
  })

  test('has no cycle between the subfolders of a module', () => {
    const partOf = (file: string): string => file.split('/').slice(1, 3).join('/')
    const between = imports
      .filter(({ file, target }) => moduleOf(file) === moduleOf(target) && partOf(file) !== partOf(target))
      .map(({ file, target }) => ({ file: partOf(file), target: partOf(target) }))
      .filter(({ file, target }) => !file.endsWith('.ts') && !target.endsWith('.ts'))
    expect(findCycles(between)).toEqual([])
  })

  test('imports Fastify only in http and cli', () => {
    const others = sources.filter((file) => moduleOf(file) !== 'http' && moduleOf(file) !== 'cli')
    expect(others.filter((file) => readFileSync(file, 'utf8').includes("from 'fastify'"))).toEqual([])
  })

  test('keeps SQL in stores', () => {
    const elsewhere = sources.filter((file) => !/store\.ts$|^src\/db\//.test(file))
    const statement = /(?<!`)\b(db|tx|sql)(<[^`]*>)?`/ // Complete, or a part of one.
    const allowed = ['src/organisations/first.ts', 'src/cli/database.ts'] // An advisory lock, and `select 1`.
    expect(elsewhere.filter((file) => !allowed.includes(file) && statement.test(readFileSync(file, 'utf8')))).toEqual(
      [],
    )
  })

  test('has no file above the maximum length', () => {
    const too_long = sources.filter((file) => readFileSync(file, 'utf8').split('\n').length > MAX_LINES)
    expect(too_long).toEqual([])
  })

  test('has no folder above the maximum number of files', () => {
    const folders = [...new Set(sources.map((file) => dirname(file)))]
    const too_full = folders.filter((folder) => sources.filter((file) => dirname(file) === folder).length > MAX_FILES)
    expect(too_full).toEqual([])
  })

  test('lets the console import only types, of schema.ts files and of the generated client, and how numbers are read', () => {
    expect(borrowed.length).toBeGreaterThan(25)
    const taken = borrowed.filter(
      ({ how, target }) =>
        target !== 'src/values/phone/phone.ts' &&
        (how !== 'import type' ||
          !/^(src\/(.*\/)?schema\.ts$|clients\/typescript\/src\/(answers|errors|types)\.ts$)/.test(target)),
    )
    expect(taken).toEqual([])
  })

  test('has no leftover markers such as .only', () => {
    const marks = /TO[D]O|FIX[M]E|@ts-ignor[e]|\.onl[y]\(/
    const marked = files.filter((file) => /\.tsx?$/.test(file) && marks.test(readFileSync(file, 'utf8')))
    expect(marked).toEqual([])
  })

  test('has no conflict markers of a merge', () => {
    const texts = files.filter((file) => /\.(tsx?|sql|md|json|ya?ml|css)$/.test(file))
    expect(texts.filter((file) => /^(<{7}|>{7}) /m.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})

test('test/schema.sql is the whole schema', async () => {
  const database = await freshDatabase()
  const with_organisation = await database.db<{ name: string }[]>`
    select relname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where attname = 'organisation_id' and relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace
    order by 1`
  const schema = await dumpSchema(database.db)
  await database.drop()
  // The placement of each table on a cluster must be decided.
  expect([...DISTRIBUTED, ...ON_COORDINATOR].sort()).toEqual(with_organisation.map(({ name }) => name))
  await expect(schema).toMatchFileSnapshot('schema.sql')
  const copy = await emptyDatabase()
  await copy.db.unsafe(schema)
  expect(await dumpSchema(copy.db)).toBe(schema)
  await copy.drop()
})
