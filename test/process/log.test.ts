import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** A process that ends with all its background threads busy: writes left to them would be lost. */
const SCRIPT = `
  import { pbkdf2 } from 'node:crypto'
  process.once('exit', () => {
    for (let thread = 0; thread < 8; thread++) pbkdf2('password', 'salt', 50_000, 32, 'sha512', () => {})
  })
  const { makeLog } = await import(process.env.LOG)
  const log = makeLog('info')
  log.info({ count: 1 }, 'next to last words')
  log.written('"count":2', 'last words')
`

test('the last log entries are on standard output when the process ends', async () => {
  const LOG = new URL('../../src/observe/log.ts', import.meta.url).href
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT], {
    env: { LOG },
  })
  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { count: 1, msg: 'next to last words' },
    { count: 2, msg: 'last words' },
  ])
})
