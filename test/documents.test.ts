import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * Files, folders and tests that documents and comments of `src` name must exist. A file or folder is named
 *
 * - by its path from the root: `src/billing/charge.ts`, `docs/faults.md`, `gangan.example.yaml`, which must match exactly;
 * - by a path from `src`, or from the folder of the document: `billing/charge.ts`, `benchmarks.md`. Folders in between may
 *   be omitted (`messaging/parts.ts` for one in `messaging/reports/`) and so may `.ts` after a module (`otp/judge`);
 * - by its file name: `charge.ts`. If `src` has such a file, that one is meant.
 *
 * A shortened name must match exactly one file. `schema.ts` and `store.ts` name a kind of file, which most modules have.
 * Names of former files are written without back-ticks.
 */
const KINDS = ['schema.ts', 'store.ts']

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const folders = [...new Set(files.flatMap(foldersOf))]
const paths = new Set([...files, ...folders])
const tops = folders.filter((folder) => !folder.includes('/'))
const rooms = folders.filter((folder) => /^src\/[^/]+$/.test(folder)).map((folder) => basename(folder))

const documents = files.filter((file) => /^docs\/.*\.md$|^(README|CONTRIBUTING|SECURITY)\.md$/.test(file))
const sources = files.filter((file) => /^src\/.*\.ts$/.test(file))

describe('files and links named in documents exist', () => {
  test('has been looked at', () => {
    expect(documents.length).toBeGreaterThan(30)
    expect(documents.flatMap((file) => linksOf(read(file))).length).toBeGreaterThan(40)
    expect(documents.flatMap((file) => namesOf(read(file))).length).toBeGreaterThan(200)
    expect(sources.flatMap((file) => namesOf(commentsOf(read(file)))).length).toBeGreaterThan(3)
  })

  test.each(documents)('in %s', (file) => {
    const text = read(file)
    const links = linksOf(text).filter((link) => !paths.has(normalize(join(dirname(file), link)).replace(/\/$/, '')))
    const names = namesOf(text).filter((name) => !isThere(name, dirname(file)))
    expect([...links, ...names]).toEqual([])
  })

  test('in comments', () => {
    const stale = sources.flatMap((file) =>
      namesOf(commentsOf(read(file)))
        .filter((name) => !isThere(name, dirname(file)))
        .map((name) => `${file}: ${name}`),
    )
    expect(stale).toEqual([])
  })
})

/** The rule itself: a test that finds everything would pass, too. */
test.each([
  ['src/billing/charge.ts', true],
  ['src/billing/tell.ts', false],
  ['billing/charge.ts', true],
  ['billing/charge', true],
  ['billing/', true],
  ['benchmarks.md', true],
  ['db/initdb.ts', true], // a folder left out
  ['src/db/initdb.ts', false], // a whole path leaves nothing out
  ['charge.ts', true],
  ['audit-store.ts', false], // several rooms have one
  ['store.ts', true],
  ['nowhere.ts', false],
  ['nowhere/', false],
])('%s is there: %s', (name, expected) => {
  expect(namesOf(`\`${name}\``)).toEqual([name])
  expect(isThere(name, 'docs')).toBe(expected)
})

test('text that only resembles a path is not checked', () => {
  const others = [
    '/sms/send',
    'POST /sms/send',
    '@fastify/swagger',
    'a/b',
    'owner.<n>.json',
    'https://a.example/src/b.ts',
  ]
  expect(others.flatMap((text) => namesOf(`\`${text}\``))).toEqual([])
})

function isThere(name: string, from: string): boolean {
  const path = name.replace(/\/$/, '')
  if (paths.has(path) || KINDS.includes(path)) return true
  const [top = '', ...rest] = path.split('/')
  if (tops.includes(top) && !rooms.includes(top)) return false
  const beside = normalize(join(from, path))
  if ([`src/${path}`, `src/${path}.ts`, beside].some((whole) => paths.has(whole))) return true
  const last = rest.at(-1) ?? top
  const head = `src/${path.slice(0, -last.length)}`
  const known = name.endsWith('/') ? folders : files
  const fitting = known.filter((whole) => basename(whole) === last || basename(whole) === `${last}.ts`)
  const in_src = fitting.filter((whole) => whole.startsWith(head))
  return rest.length === 0 && in_src.length === 0 ? fitting.length === 1 : in_src.length === 1
}

/** In back-ticks whatever looks like a file or a folder; elsewhere whole paths, which tables have, too. */
function namesOf(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].flatMap((match) => (match[1] ?? '').split(' '))
  const words = text.replaceAll(/`[^`\n]+`/g, '').split(/[\s()[\],;:|]+/)
  const whole = words.filter((word) => word.includes('/') && tops.includes(topOf(word)))
  return [...new Set([...quoted, ...whole].map((word) => word.replace(/[.,]$/, '')).filter(looksLikePath))]
}

function looksLikePath(word: string): boolean {
  if (!/^[\w.][\w./-]*$/.test(word) || word.startsWith('./')) return false
  if (/\.(ts|tsx|mjs|sql|md|ya?ml|json|css)$|\/$/.test(word)) return true
  return word.includes('/') && [...tops, ...rooms].includes(topOf(word))
}

function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^\w+:/.test(link))
}

/** With files of code in back-ticks: in comments they often stand without. */
function commentsOf(code: string): string {
  return [...code.matchAll(/\/\*\*?[^]*?\*\/|(?:^|\s)\/\/.*/g)]
    .map(([comment]) => comment.replaceAll(/`?([\w/-]+\.(?:tsx?|sql|md))\b`?/g, '`$1`'))
    .join('\n')
}

function foldersOf(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

function topOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

test('the files whose tests are put to the test are there', () => {
  const names = [...readFileSync('scripts/mutation.ts', 'utf8').matchAll(/'((?:src|test)\/[^'*]+\.ts)'/g)]
  expect(names.length).toBeGreaterThan(20)
  expect(names.map(([, name = '']) => name).filter((name) => !existsSync(name))).toEqual([])
})
