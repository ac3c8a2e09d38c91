import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

/** Announces a large body, sends a part of it, and closes the connection. */
async function breakOff(method: string, path: string, type: string, part: string): Promise<void> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = [`${method} ${path} HTTP/1.1`, 'host: x', `authorization: ${service.key}`, `content-type: ${type}`]
  socket.write([...head, 'content-length: 900000', '', part].join('\r\n'))
  await until('the part to be sent', () => socket.bytesWritten > part.length && socket.writableLength === 0)
  socket.destroy() // Not a reset, which would discard the data sent before.
}

const broken = () => service.log_lines.find(({ sentence }) => sentence === 'the caller broke a request off')
const errors = () => service.log_lines.filter(({ level }) => level === 'error')

test.each([
  ['before the first chunk is full', 'Name,Email\r\n' + 'Ada,ada@example.com\r\n'.repeat(100)],
  ['behind the first chunk', 'Name,Email\r\n' + 'Ada,ada@example.com\r\n'.repeat(20_000)],
])('an import that the caller aborts %s is not logged as an internal error', async (_, part) => {
  service.log_lines.length = 0
  await breakOff('POST', '/lists/contact/imports', 'text/csv', part)
  await until('the end of the request', broken)
  expect(errors()).toEqual([])
  const { body } = await service.call<{ imports: { status: string }[] }>('GET', '/lists/contact/imports')
  expect(body.imports.every(({ status }) => status === 'failed')).toBe(true)
})

test.each([
  ['POST', '/templates'],
  ['POST', '/sms/send'],
  ['POST', '/otp/request_token'],
  ['GET', '/lookup/phone'],
  ['POST', '/lists/contact/rows/bulk'],
])('a JSON body of %s %s that the caller aborts is not logged as an internal error', async (method, path) => {
  service.log_lines.length = 0
  await breakOff(method, path, 'application/json', '{"recipients":"08031234567","content":"')
  await until('the end of the request', broken)
  expect(errors()).toEqual([])
})
