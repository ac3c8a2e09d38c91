import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const NO_TEXT = [null, false]

test.each([
  ['POST', '/lists/contact/imports', { csv: 'Name\nAda', mapping: { '\n': NO_TEXT } }, 'mapping.\n'],
  [
    'POST',
    '/sms/send',
    {
      recipients: '08031234567',
      content: 'Hello',
      personalisation: [{ recipient: '08031234567', substitutions: { 'a\nb': NO_TEXT } }],
    },
    'personalisation[0].substitutions.a\nb',
  ],
  [
    'POST',
    '/sms/estimate',
    {
      recipients: '08031234567',
      content: 'Hello',
      personalisation: [{ recipient: '08031234567', substitutions: { '\r\n': NO_TEXT } }],
    },
    'personalisation[0].substitutions.\r\n',
  ],
] as const)('%s %s validates fields whose names contain a line break', async (method, path, body, field) => {
  const answer = await service.call<{ errors?: { field: string; type: string }[] }>(method, path, body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toContainEqual(expect.objectContaining({ field }))
})
