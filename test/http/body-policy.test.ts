import Fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { requireBodyPolicies, type BodyPolicy } from '../../src/http/body/policy.ts'
import { readBodies } from '../../src/http/body/read-bodies.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'

const handler = (): string => 'ok'
const body: BodyPolicy = { takes: ['json'], bytes: 1_024 }

/** A server to which routes are added. */
function emptyServer(): FastifyInstance {
  const app = Fastify()
  readBodies(app)
  requireBodyPolicies(app)
  return app
}

test('a route that does not declare its body aborts the start of the service', async () => {
  const app = emptyServer()
  expect(() => app.post('/new', handler)).toThrow('POST /new does not declare the body it takes')
  expect(() => app.get('/new', { config: { who: 'public' } }, handler)).toThrow('GET /new does not declare')
  void app.register(async (inner) => void inner.patch('/group/new', handler))
  await expect(app.ready()).rejects.toThrow('PATCH /group/new does not declare')

  const whole = await buildServer({} as HttpDeps)
  expect(() => whole.post('/new', handler)).toThrow('POST /new does not declare the body it takes')
  await whole.close()
})

test('a route may neither set its own body limit nor its own parser', async () => {
  const app = emptyServer()
  expect(() => app.post('/new', { bodyLimit: 2_048, config: { body } }, handler)).toThrow('in two places')
  const csv: BodyPolicy = { takes: ['csv'], bytes: 1_024 }
  expect(() => app.post('/new', { config: { body: csv } }, handler)).toThrow('how much CSV')
  expect(() => app.removeAllContentTypeParsers()).toThrow('a parser of its own')
  void app.register(async (inner) => {
    inner.addContentTypeParser('*', (_request, _payload, done) => done(null))
  })
  await expect(app.ready()).rejects.toThrow('a parser of its own')
})

test('a route with a policy accepts the declared content types, up to the declared size', async () => {
  const app = emptyServer()
  app.post('/new', { config: { body } }, ({ body: read }) => ({ read }))
  const ask = (type: string, payload: string) =>
    app.inject({ method: 'POST', url: '/new', headers: { 'content-type': type }, payload })
  expect((await ask('application/json', '{"a":1}')).json()).toEqual({ read: { a: 1 } })
  expect((await ask('application/json', `"${'x'.repeat(1_024)}"`)).statusCode).toBe(413)
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/csv', 'text/xml']) {
    expect((await ask(type, 'a=1')).json<{ message: string }>().message).toContain('must be application/json')
  }
  await app.close()
})

test('every route of the service declares the content types and the size of its body', async () => {
  const found = new Map<string, string>()
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url, config }) => {
      const { takes = ['undeclared'], bytes = 0, csv_bytes } = config?.body ?? {}
      const policy = `${takes.join(' ') || 'none'} ${bytes / 1_024}${csv_bytes ? ` ${csv_bytes / 1_024}` : ''}`
      if (method !== 'HEAD') found.set(`${String(method)} ${url}`, policy)
    })
  })
  await app.close()
  expect(found.size).toBeGreaterThan(200)
  const others = [...found].filter(([, policy]) => policy !== 'json 1024' && policy !== 'none 64')
  const dialects = /^\w+ \/(2010-04-01|v[12])\//
  const in_dialects = others.filter(([name]) => dialects.test(name)).map(([, policy]) => policy)
  expect([...new Set(in_dialects)]).toEqual(['form multipart json 256'])
  expect(Object.fromEntries(others.filter(([name]) => !dialects.test(name)))).toEqual({
    'POST /sms/send': 'json 8192',
    'POST /sms/estimate': 'json 8192',
    'POST /campaigns/:id/recipients': 'json csv 8192 8192',
    'POST /lists/contact/rows/bulk': 'json 8192',
    'POST /lists/contact/imports': 'json csv 8192 262144',
    'POST /media': 'file 102400',
    'POST /airtime/callbacks/:vendor': 'bytes 64',
    'POST /carriers/whatsapp/:carrier': 'bytes 4096',
    'GET /carriers/http/:carrier/reports': 'bytes 1024',
    'POST /carriers/http/:carrier/reports': 'bytes 1024',
    'GET /carriers/http/:carrier/texts': 'bytes 1024',
    'POST /carriers/http/:carrier/texts': 'bytes 1024',
    'POST /phones/v1/device': 'json 256',
    'PATCH /phones/v1/device': 'json 256',
    'PATCH /phones/v1/message': 'json 256',
    'PATCH /phones/v1/messages': 'json 256',
    'POST /phones/v1/webhooks/:phone': 'bytes 256',
    'GET /cgi-bin/sendsms': 'form multipart json 256',
    'POST /cgi-bin/sendsms': 'form multipart json 256',
    'POST /hooks/:name': 'bytes 64',
    'POST /hooks/:name/verified': 'bytes 64',
    'POST /console/api/configuration': 'json 2048',
    'POST /console/api/price-lists/:name/imports': 'json csv 1024 16384',
    'POST /console/sign-in/:provider/logout': 'form json 64',
  })
})
