import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })

describe('without a key', () => {
  test('GET /health and GET /ready respond with ok', async () => {
    for (const path of ['/health', '/ready']) {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ status: 'ok' })
    }
  })

  test('GET /metrics counts requests, deliveries, queues and connections', async () => {
    await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'x' })
    const response = await get('/metrics')
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    expect(text).toContain('gangan_http_request_duration_seconds_count{method="POST",route="/sms/send",status="200"}')
    expect(text).toContain('gangan_deliveries_accepted_total{channel="sms"} 1')
    expect(text).toMatch(/gangan_queue_depth\{queue="route:sms"\} 1/)
    expect(text).toMatch(/gangan_database_connections\{state="\w+"\} \d/)
    expect(text).toContain('gangan_nodejs_eventloop_lag_seconds')
  })

  test('GET /openapi.json is the API description, compressed if the client accepts it', async () => {
    const response = await get('/openapi.json', { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  })

  test('GET /docs loads no external resources', async () => {
    const response = await get('/docs')
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('every response', () => {
  test('has a request id: the given one if it is valid', async () => {
    expect((await get('/health', { 'x-request-id': 'abc-1' })).headers.get('x-request-id')).toBe('abc-1')
    const made = (await get('/health', { 'x-request-id': 'not sane' })).headers.get('x-request-id')
    expect(made).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('to a malformed path, or one with an overlong id, is our 404', async () => {
    for (const path of ['/%zz', '/sms/%', `/sms/${'x'.repeat(301)}`]) {
      const response = await get(path, { authorization: service.key, 'x-request-id': 'abc-2' })
      expect(response.status).toBe(404)
      expect(response.headers.get('x-request-id')).toBe('abc-2')
      expect(response.headers.get('content-type')).toContain('application/json')
      expect(await response.json()).toEqual({ status: 404, message: 'There is no such path.' })
    }
  })

  test('to an unknown path is 404, to an unknown method 405', async () => {
    const unknown = await get('/nowhere')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ status: 404, message: expect.any(String) })
    expect(unknown.headers.get('x-request-id')).toMatch(/./)
    const headers = { 'content-type': 'application/json' }
    const broken = await fetch(`${service.url}/nowhere`, { method: 'POST', headers, body: '{' })
    expect(broken.status).toBe(404)
    const method = await fetch(`${service.url}/health`, { method: 'DELETE' })
    expect(method.status).toBe(405)
    expect(method.headers.get('allow')).toContain('GET')
  })
})

describe('the log', () => {
  test('has one line per request, without keys, numbers and texts', async () => {
    service.log_lines.length = 0
    const response = await service.call('POST', '/sms/send', {
      recipients: '08099999999',
      content: 'a secret between us',
    })
    await service.call('GET', '/sandbox/messages?recipient=08099999999')
    await service.call('POST', '/sms/send', { recipients: 'bad number 08099999998', content: 'another secret' })
    expect(service.log_lines).toHaveLength(3)
    expect(service.log_lines[0]?.details).toMatchObject({
      request_id: response.headers.get('x-request-id'),
      method: 'POST',
      route: '/sms/send',
      status: 200,
      organisation_id: service.id,
    })
    const text = JSON.stringify(service.log_lines)
    for (const secret of [service.key, '8099999999', '8099999998', 'secret']) expect(text).not.toContain(secret)
  })
})

/** On a cluster each node has a database of that name, and is reached without the coordinator. */
async function everywhere(db: Db, statement: string): Promise<void> {
  if (db.distributed) await db`select run_command_on_all_nodes(${statement})`
  else await db.unsafe(statement)
}

test('responds with 503 while the database is unreachable, and 200 when it is back', async () => {
  const other = await openService({ workers: false })
  const message = { recipients: '08031234567', content: 'x' }
  expect((await other.call('POST', '/sms/send', message)).status).toBe(200)
  const admin = service.db
  const [row] = await other.db<{ name: string }[]>`select current_database() as name`
  const name = row?.name ?? ''
  await everywhere(admin, `alter database ${name} with allow_connections false`)
  await everywhere(admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  const away = await other.call('POST', '/sms/send', message)
  expect(away.status).toBe(503)
  expect(away.headers.get('retry-after')).toBe('1')
  expect((await fetch(`${other.url}/ready`)).status).toBe(503)
  expect((await fetch(`${other.url}/health`)).status).toBe(200)
  await everywhere(admin, `alter database ${name} with allow_connections true`)
  expect((await other.call('POST', '/sms/send', message)).status).toBe(200)
  await other.close()
})

describe('a method that a path does not have', () => {
  /** `fetch` refuses to send some of them. */
  async function ask(method: string, path: string): Promise<{ status: number; allow: string | undefined }> {
    const { hostname, port } = new URL(service.url)
    return new Promise((resolve, reject) => {
      request({ hostname, port, method, path }, (response) => {
        response.resume()
        resolve({ status: response.statusCode ?? 0, allow: response.headers.allow })
      })
        .on('error', reject)
        .end()
    })
  }

  test.each(['OPTIONS', 'TRACE', 'PUT', 'DELETE'])('is rejected: %s', async (method) => {
    expect(await ask(method, '/sms/send')).toEqual({ status: 405, allow: 'POST' })
    expect((await ask(method, '/nowhere')).status).toBe(404)
  })

  test.each(['PROPFIND', 'LINK', 'M-SEARCH'])('is rejected where no path has it: %s', async (method) => {
    expect((await ask(method, '/sms/send')).status).toBe(405)
  })
})

describe('bytes that are not a request', () => {
  async function say(text: string): Promise<string> {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
    socket.on('error', () => {}) // Cut off after the response.
    socket.write(text)
    await new Promise((closed) => socket.once('close', closed))
    return answer
  }

  test.each([
    ['nonsense\r\n\r\n', 400, 'The request cannot be read.'],
    [
      'GET /health HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'The request cannot be read.',
    ],
    [
      `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'The head of the request is too large.',
    ],
  ])('get a regular error response: %j', async (text, status, message) => {
    const [head = '', body = ''] = (await say(text)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nx-request-id: .+`))
    expect(JSON.parse(body)).toEqual({ status, message })
  })
})
