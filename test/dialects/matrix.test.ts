import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const HERE = 'test/dialects'
const page = readFileSync('docs/dialects.md', 'utf8')
const claims = [...page.matchAll(/^\|.*\| `([\w.-]+\.test\.ts)` "([^"]+)" \|$/gm)].map(([, file = '', title = '']) => ({
  file,
  title,
}))

/** The titles of a file's tests, and of those that are run for each of several things. */
function titlesOf(file: string): Set<string> {
  const code = readFileSync(`${HERE}/${file}`, 'utf8')
  return new Set([...code.matchAll(/\btest\(\s*'([^']+)'/g)].map(([, title = '']) => title))
}

test('the page has been looked at, and names every file of tests here', () => {
  expect(claims.length).toBeGreaterThan(30)
  const files = readdirSync(HERE).filter((file) => file.endsWith('.test.ts') && file !== 'matrix.test.ts')
  expect([...new Set(claims.map(({ file }) => file))].sort()).toEqual(files.sort())
})

test('whatever the page says is there is proved by a test of that name', () => {
  const missing = claims.filter(({ file, title }) => !titlesOf(file).has(title))
  expect(missing).toEqual([])
})

test('a row of a table that proves something says by what', () => {
  const proved = page.split('\n').filter((line) => line.endsWith('proved by |'))
  expect(proved.length).toBe(4)
})
