import { expect, test } from 'vitest'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const MESSAGE = { recipients: '08031234567', content: 'Hello' }
const REFUSAL = { status: 503, message: 'This process is too old for the database; another one has to be asked.' }

test('a process that is too old for the schema takes no requests, and logs it once', async () => {
  const service = await openService()
  const { call, db, log_lines } = service
  expect((await call('POST', '/sms/send', MESSAGE)).status).toBe(200)
  await db`insert into migrations (number, name) values (9999, '9999_of_a_newer_build')`
  await until('the refusal', async () => (await call('POST', '/sms/send', MESSAGE)).status === 503)
  // Read from the socket, and by the HTTP server.
  for (const path of ['/sms/send', '/sms/send/']) expect((await call('POST', path, MESSAGE)).body).toEqual(REFUSAL)
  expect((await call('GET', '/ready')).body).toEqual(REFUSAL)
  expect((await call('GET', '/health')).status).toBe(200)
  expect((await call('GET', '/metrics')).status).toBe(200)
  const lines = log_lines.filter(({ sentence }) => sentence.startsWith('this process takes no more requests'))
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines[0]?.details)).toContain('schema 9999')
  await service.close()
})
