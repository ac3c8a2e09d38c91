import { existsSync, writeFileSync } from 'node:fs'
import { findKeys } from './texts/keys.ts'
import { compare, inOrder, readLanguages, TEXTS } from './texts/languages.ts'
import { readConsole } from './texts/source.ts'

/**
 * `npm run texts` reports missing and unused texts of each language of the console.
 * `npm run texts -- de` starts a language: a file with every text of the console, to be filled in.
 */
const [begun] = process.argv.slice(2)
const keys = new Set(findKeys(readConsole()).keys.map(({ text }) => text))

if (begun !== undefined) begin(begun)
else for (const language of readLanguages()) report(language)

function begin(language: string): void {
  const path = `${TEXTS}/${language}.json`
  if (!/^[a-z]{2}$/.test(language)) fail('A language is two lower-case letters, such as de.')
  else if (existsSync(path)) fail(`${path} exists already.`)
  else {
    writeFileSync(path, inOrder(Object.fromEntries([...keys].map((key) => [key, '']))))
    print(`${path} has ${keys.size} texts to fill in. Name the language in ${TEXTS}/language.ts, too.`)
  }
}

function report({ path, texts }: ReturnType<typeof readLanguages>[number]): void {
  const { missing, unused } = compare(keys, texts)
  print(`${path}: ${keys.size} texts, ${missing.length} missing, ${unused.length} no longer used`)
  for (const key of missing) print(`  missing  ${key}`)
  for (const key of unused) print(`  unused   ${key}`)
  if (missing.length + unused.length > 0) process.exitCode = 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}
