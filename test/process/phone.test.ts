import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

test('gangan phones prints the pairing data, and gangan phone emulates a phone', async () => {
  const database = await freshDatabase()
  const folder = await temporaryFolder()
  const GANGAN_CONFIG = join(folder.path, 'gangan.json')
  const carriers = [{ kind: 'phone', name: 'phones' }]
  await writeFile(
    GANGAN_CONFIG,
    JSON.stringify({ carriers, routes: [{ name: 'sms', channel: 'sms', carrier: 'phones' }] }),
  )
  const env = { DATABASE_URL: database.url, GANGAN_CONFIG }
  const running = await startGangan(env)
  const listed = await runGangan(['phones'], env)
  const token = /private token ([a-z0-9-]+)/.exec(listed.stdout)?.[1] ?? ''
  expect(token).toMatch(/^([a-z0-9]{4}-){4}[a-z0-9]{4}$/)

  const child = spawn(process.execPath, [
    MAIN,
    'phone',
    '--url',
    `${running.url}/phones/v1`,
    '--token',
    token,
    '--delay',
    '10',
  ])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  await until('it to register', () => output.includes('joined as '))
  const call = caller(running.url, running.key ?? '')
  const body = { content: 'Hello', sender_id: 'Gangan' }
  type Shown = { deliveries: { status: string; refunded: boolean }[] }
  for (const [recipients, status] of [
    ['2348031234567', 'delivered'],
    ['2348031234002', 'undelivered'],
    ['2348031234003', 'rejected'],
  ]) {
    const { id } = (await call<{ id: string }>('POST', '/sms/send', { ...body, recipients })).body
    await until(`it to be ${status}`, async () => {
      return (await call<Shown>('GET', `/sms/${id}`)).body.deliveries[0]?.status === status
    })
  }
  expect(output).toContain('→ +2348031234567 by SIM 1: Hello')
  child.stdin.write('08031234567 STOP\n')
  type Inbound = { inbound: { text: string; from: string }[] }
  await until('the text', async () => {
    const [text] = (await call<Inbound>('GET', '/inbound')).body.inbound
    return text?.text === 'STOP' && text.from === '2348031234567'
  })

  await until('the counters', async () => {
    const figures = await (await fetch(`${running.url}/metrics`)).text()
    return /gangan_phone_present\{.*\} 1\n/.test(figures) && /gangan_phone_battery_percent\{.*\} 80\n/.test(figures)
  })
  const [id] = /[\da-f]{8}-[\da-f-]{27}/.exec((await runGangan(['phones', 'list'], env)).stdout) ?? ['']
  expect((await runGangan(['phones', 'rotate', 'phones'], env)).code).toBe(0)
  expect((await runGangan(['phones'], env)).stdout).not.toContain(token)
  expect((await runGangan(['phones', 'forget', 'phones', id], env)).code).toBe(0)
  expect((await runGangan(['phones', 'forget', 'phones', id], env)).code).toBe(3)
  await until('the rejection', () => output.includes('the server does not know this phone'))
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await running.end('SIGTERM')
  await folder.remove()
  await database.drop()
}, 120_000)

test.each([
  [['--token', 'x', '--sims', '9'], '--sims must be an integer up to 3, not 9.'],
  [['--token', 'x', '--url', 'nowhere'], '--url must be a URL, not nowhere.'],
])('gangan phone %j reports the error', async (args, sentence) => {
  expect(await runGangan(['phone', ...args], {})).toEqual({ code: 2, stdout: '', stderr: `gangan: ${sentence}\n` })
})

test('gangan phone without a token prints instructions', async () => {
  const { code, stderr } = await runGangan(['phone'], {})
  expect([code, stderr.includes('kind: phone')]).toEqual([2, true])
})
