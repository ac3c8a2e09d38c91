import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const command = fileURLToPath(new URL('../../bin/gangan.mjs', import.meta.url))

test('gangan is a command, as npx runs it', () => {
  expect(execFileSync(command, ['--help'], { encoding: 'utf8' })).toMatch(/^Usage: gangan <command>/m)
})

test('gangan says which version it is', () => {
  const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`)
})
