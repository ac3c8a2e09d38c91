import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DIALECTS } from '../../src/emulators/vendor/dialects.ts'

/** A file each, so that they run in parallel. */
test('every preset is tested by the contract', () => {
  const files = readdirSync(new URL('.', import.meta.url))
  const held = files.flatMap((file) => /^message-http-(.+)\.test\.ts$/.exec(file)?.[1] ?? [])
  expect(held.sort()).toEqual(Object.keys(DIALECTS).sort())
  expect(held.length).toBeGreaterThan(5)
})
