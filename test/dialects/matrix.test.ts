import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDERS = ['test/dialects', 'test/smpp-server']
const page = readFileSync('docs/dialects.md', 'utf8')
/** What stands under the heading is proved in a folder of its own. */
const smpp = page.slice(page.indexOf('\n## SMPP\n')).split(/\n## (?!SMPP)/, 1)[0] ?? ''
const claims = [...claimsOf(page.replace(smpp, ''), 'test/dialects'), ...claimsOf(smpp, 'test/smpp-server')]

function claimsOf(text: string, folder: string): { file: string; title: string }[] {
  return [...text.matchAll(/^\|.*\| `([\w.-]+\.test\.ts)` "([^"]+)" \|$/gm)].map(([, file = '', title = '']) => ({
    file: `${folder}/${file}`,
    title,
  }))
}

/** The titles of a file's tests, and of those that are run for each of several things. */
function titlesOf(file: string): Set<string> {
  const code = readFileSync(file, 'utf8')
  return new Set([...code.matchAll(/(?:\btest|\))\(\s*(['"])(.+?)\1/g)].map(([, , title = '']) => title))
}

test('the page has been looked at, and names every file of tests here', () => {
  expect(claims.length).toBeGreaterThan(30)
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`)).filter(
    (file) => file.endsWith('.test.ts') && !file.endsWith('/matrix.test.ts'),
  )
  expect([...new Set(claims.map(({ file }) => file))].sort()).toEqual(files.sort())
})

test('whatever the page says is there is proved by a test of that name', () => {
  const missing = claims.filter(({ file, title }) => !titlesOf(file).has(title))
  expect(missing).toEqual([])
})

test('a row of a table that proves something says by what', () => {
  const proved = page.split('\n').filter((line) => line.endsWith('proved by |'))
  expect(proved.length).toBe(5)
})
