import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import twilio from 'twilio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../support/folder.ts'
import { startGangan, type Gangan } from '../support/process.ts'

type Steps = { steps: { run: string; env?: Record<string, string> }[] }

/** The recipe of docs/dialects.md: the commands of CI, and the application's use of its environment. */
const section = readFileSync('docs/dialects.md', 'utf8').split('\n## In place of mocks, in CI\n')[1] ?? ''
const [recipe = '', code = ''] = ['yaml', 'ts'].map((kind) => section.split(`\`\`\`${kind}\n`)[1]?.split('```')[0])
const { steps } = parse(recipe) as Steps
const commands = steps.map(({ run }) => run).join('\n')
const given = steps.find(({ env }) => env)?.env ?? {}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let gangan: Gangan

beforeAll(async () => {
  folder = await temporaryFolder()
  const [, GANGAN_API_KEY = ''] = /GANGAN_API_KEY=(\S+) npm start/.exec(commands) ?? []
  gangan = await startGangan({ GANGAN_DATA: folder.path, GANGAN_API_KEY })
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await folder.remove()
})

/** Runs the application's lines of the page, with a free port. */
function clientOf(env: Record<string, string>): ReturnType<typeof twilio> {
  const process = { env: { ...env, TWILIO_BASE_URL: gangan.url } }
  return runInNewContext(`${code}\nclient`, { twilio, process }) as ReturnType<typeof twilio>
}

test('the recipe sends to the service it starts, and not to Twilio', async () => {
  expect(given.TWILIO_BASE_URL).toBe('http://127.0.0.1:8080')
  const [, ready = ''] = /http:\/\/127\.0\.0\.1:8080(\/\S+)/.exec(commands) ?? []
  expect((await fetch(gangan.url + ready)).status).toBe(200)
  const client = clientOf(given)
  const { sid } = await client.messages.create({ to: '+2348031234567', from: 'Shop', body: 'Hello' })
  expect((await client.messages.list()).map((one) => one.sid)).toEqual([sid])
  const services = client.verify.v2.services(`VA${'0'.repeat(32)}`)
  expect((await services.verifications.create({ to: '+2348031234567', channel: 'sms' })).status).toBe('pending')
  expect((await client.lookups.v2.phoneNumbers('+2348031234567').fetch()).valid).toBe(true)
})

test('the account answers with the account SID and token that sign callbacks, and both log in', async () => {
  const account = await clientOf(given)
    .api.v2010.accounts(given.TWILIO_ACCOUNT_SID ?? '')
    .fetch()
  const own = { TWILIO_ACCOUNT_SID: account.ownerAccountSid, TWILIO_AUTH_TOKEN: account.authToken }
  expect(await clientOf(own).messages.list({ limit: 1 })).toHaveLength(1)
})
