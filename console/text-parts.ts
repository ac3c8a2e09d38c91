import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { findKeys } from '../scripts/texts/keys.ts'
import { readConsole } from '../scripts/texts/source.ts'
import { filesOf } from '../scripts/texts/reach.ts'

/** What a browser may show before anything else was asked for: the way in, and the page behind it. */
const FIRST = ['main.tsx', 'pages/login/Login.tsx', 'pages/welcome/Welcome.tsx', 'pages/start/Start.tsx']

/**
 * `import('./fr.json?first')` has the texts of the first view, `import('./fr.json?later')` all others: who reads French
 * should not wait for the texts of thirty pages to see one.
 */
export function textParts(): Plugin {
  return {
    name: 'text-parts',
    enforce: 'pre',
    load(id) {
      const [, path, part] = /^(.*\.json)\?(first|later)$/.exec(id) ?? []
      if (path === undefined) return null
      const texts: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))
      return JSON.stringify(partOf(texts, part === 'first'))
    },
  }
}

/** Those that the files of the first view say, or the others. */
export function partOf(texts: Readonly<Record<string, string>>, first: boolean): Record<string, string> {
  const sources = readConsole()
  const files = filesOf(
    sources,
    FIRST.map((name) => `console/src/${name}`),
  )
  const said = new Set(findKeys(sources.filter(({ file }) => files.has(file))).keys.map(({ text }) => text))
  return Object.fromEntries(Object.entries(texts).filter(([text]) => said.has(text) === first))
}
