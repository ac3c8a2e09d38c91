import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { handset, request, RIGHT, verify } from '../support/otp.ts'

let service: TestService
const answers: string[] = []

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

/** Every table in which the token can be read, in any encoding. */
async function tablesWith(token: string): Promise<string[]> {
  const tables = await service.db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const forms = [token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64').replace(/=+$/, '')]
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await service.db.unsafe(`select row_to_json(${name})::text as text from ${name}`)
    if (rows.some((row) => forms.some((form) => (row as { text: string }).text.includes(form)))) found.push(name)
  }
  expect(tables.length).toBeGreaterThan(20)
  return found
}

async function note(answer: Promise<{ text: string; status: number }>) {
  const { text, status } = await answer
  answers.push(text)
  return { text, status }
}

test('no token is in a table, a response or the log, from the request to the end', async () => {
  await service.call('PATCH', '/otp/settings', {
    fallback_channel: 'whatsapp',
    fallback_after_s: 600,
    origin: 'a.example',
  })
  await service.call('PATCH', '/otp/settings', { test_numbers: [{ recipient: '08030000001', token: RIGHT }] })
  await request(service, { recipient: '08030000001' })
  expect(await tablesWith(RIGHT)).toEqual([])

  const idempotent = { 'idempotency-key': 'once' }
  const { body, text } = await request(service, {}, idempotent)
  answers.push(text, (await request(service, {}, idempotent)).text)
  expect(await tablesWith(RIGHT)).not.toContain('otps')
  expect(await handset(service, '2348031234567')).toContain(RIGHT)
  expect(await tablesWith(RIGHT)).toEqual(['sandbox_messages'])

  await note(verify(service, body.id, 'wrong'))
  await note(verify(service, body.id))
  await note(verify(service, body.id))
  await note(service.call('GET', `/otp/${body.id}`))
  await note(service.call('GET', '/otp/get-by-recipient/08031234567'))
  await note(service.call('GET', `/sms/${body.id}`))
  await note(service.call('GET', '/sms'))
  await note(service.call('GET', '/balance'))
  await note(service.call('GET', '/otp/settings'))
  await note(request(service, { recipient: 'nonsense' }))
  await note(request(service, { token: `${RIGHT}!` }))
  expect(await tablesWith(RIGHT)).toEqual(['sandbox_messages'])
  expect(answers.filter((answer) => answer.includes(RIGHT))).toEqual([])
  expect(answers).toHaveLength(13)
  expect(service.log_lines.length).toBeGreaterThan(10)
  expect(JSON.stringify(service.log_lines)).not.toContain(RIGHT)
})

test('the stored request of an Idempotency-Key cannot be guessed without the pepper', async () => {
  const body = { recipient: '08031234569', token: RIGHT }
  const asked = `POST /otp/request_token\n${JSON.stringify(body)}`
  await service.call('POST', '/otp/request_token', body, { 'idempotency-key': 'guess me' })
  const [row] = await service.db<{ request_hash: Buffer }[]>`
    select request_hash from idempotency_keys where key = 'guess me'`
  expect(row?.request_hash).toHaveLength(32)
  expect(row?.request_hash).not.toEqual(createHash('sha256').update(asked).digest())
})

test('a queued token is sealed, and the seal is deleted afterwards', async () => {
  const quiet = await openService({ workers: false })
  const { body } = await request(quiet)
  const [waiting] = await quiet.db<{ messages: string; priority: number }[]>`
    select messages, priority from intake where ${body.id} between first_id and last_id`
  expect(waiting?.priority).toBe(0)
  expect(waiting?.messages).not.toContain(RIGHT)
  const { sealed } = JSON.parse(waiting?.messages ?? '{}') as { sealed?: string }
  expect(sealed).toMatch(/./)
  expect(Buffer.from(sealed ?? '', 'base64').toString('latin1')).not.toContain(RIGHT)
  const worker = await openService({ beside: quiet })
  expect(await handset(quiet, '2348031234567')).toContain(RIGHT)
  await until('the record', async () => (await quiet.db`select 1 from intake`).length === 0)
  const after = await quiet.db`select 1 from deliveries where sealed_text is not null`
  expect(after.length).toBe(0)
  await worker.close()
  await quiet.close()
})
