import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A document that names a test which is gone proves nothing. */
test.each(['docs/security.md', 'SECURITY.md', 'docs/mutation.md'])('%s names only files that exist', (file) => {
  const text = readFileSync(file, 'utf8')
  const named = [...text.matchAll(/`((?:src|test|docs|scripts)\/[\w./-]+)`/g)].map((match) => match[1] ?? '')
  expect(named.length).toBeGreaterThan(0)
  expect([...new Set(named)].filter((path) => !existsSync(path))).toEqual([])
})
