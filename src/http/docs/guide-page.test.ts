import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runbookPage } from './runbook-page.ts'

const page = runbookPage(readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8'))

test('the runbook has a heading with an anchor for every section, and links to these only', () => {
  const ids = [...page.matchAll(/<h[1-3] id="([^"]+)"/g)].map(([, id = '']) => id)
  expect(ids).toContain('gangandown')
  expect(ids).toContain('the-pepper-is-lost')
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href).filter((href) => href !== 'data:,')
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((href) => !ids.includes(href.slice(1)))).toEqual([])
})

test('the runbook has no Markdown left, and other documents by their text', () => {
  expect(page).not.toMatch(/\]\(|\*\*|```/)
  expect(runbookPage('See [backups.md](backups.md#restore) or [below](#there).')).toContain(
    '<p>See backups.md or <a href="#there">below</a>.</p>',
  )
})
