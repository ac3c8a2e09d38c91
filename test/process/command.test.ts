import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('gangan is a command, as npx runs it', () => {
  const command = fileURLToPath(new URL('../../bin/gangan.mjs', import.meta.url))
  expect(execFileSync(command, ['--help'], { encoding: 'utf8' })).toMatch(/^Usage: gangan <command>/m)
})
