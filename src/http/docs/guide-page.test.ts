import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guidePage } from './guide-page.ts'

const read = (name: string) =>
  guidePage('Guide', readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'))
const page = read('runbook')

test('the runbook has a heading with an anchor for every section, and links to these only', () => {
  const ids = [...page.matchAll(/<h[1-3] id="([^"]+)"/g)].map(([, id = '']) => id)
  expect(ids).toContain('gangandown')
  expect(ids).toContain('the-pepper-is-lost')
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href).filter((href) => href !== 'data:,')
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((href) => !ids.includes(href.slice(1)))).toEqual([])
})

test.each(['runbook', 'probes'])('%s has no Markdown left', (name) => {
  expect(read(name)).not.toMatch(/\]\(|\*\*|```|\|-/)
})

test('the table and the steps of a guide are shown as such', () => {
  const probes = read('probes')
  expect(probes).toContain('<tr><th scope="col">field</th><th scope="col">meaning</th></tr>')
  expect(probes).toContain('<tr><td><code>outcome</code></td><td>the carrier')
  expect(probes).toMatch(/<ol><li>Put a SIM[\s\S]*<pre class="code"><code>carriers:\n {2}- kind: phone\n/)
  expect(probes).toContain('<ol start="2"><li>Make a plan')
})

test('other documents are shown by their text', () => {
  expect(guidePage('Guide', 'See [backups.md](backups.md#restore) or [below](#there).')).toContain(
    '<p>See backups.md or <a href="#there">below</a>.</p>',
  )
})
