import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assetRoutes } from '../../src/http/console/assets.ts'
import { makeReadClient } from '../../src/http/console/client-files.ts'
import { answerFault } from '../../src/http/errors.ts'
import { temporaryFolder } from '../support/folder.ts'
import { until } from '../support/until.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let app: FastifyInstance

const PAGE = '<!doctype html><title>Gangan</title>'
const SCRIPT = `console.log("${'drum '.repeat(500)}")`

beforeAll(async () => {
  folder = await temporaryFolder()
  app = Fastify()
  app.setErrorHandler((fault, _request, reply) => {
    const { answer } = answerFault(fault)
    return reply.code(answer.status).send(answer)
  })
  assetRoutes(app, makeReadClient(pathToFileURL(`${folder.path}/`)))
})
afterAll(async () => {
  await app.close()
  await folder.remove()
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('the console before it is built', () => {
  test('returns instructions to build it', async () => {
    const page = await get('/console')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('npm run build')
    expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  })
})

describe('the built console', () => {
  beforeAll(async () => {
    await mkdir(`${folder.path}/assets`)
    await writeFile(`${folder.path}/index.html`, PAGE)
    await writeFile(`${folder.path}/assets/index-abc123.js`, SCRIPT)
    await writeFile(`${folder.path}/notes.secret`, 'not served')
  })

  test('is one page, never cached, under a strict content security policy, for every path below it', async () => {
    for (const path of ['/console', '/console/', '/console/messages/17', '/console/index.html']) {
      const page = await get(path)
      expect([path, page.statusCode, page.body]).toEqual([path, 200, PAGE])
      expect(page.headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      const policy = String(page.headers['content-security-policy'])
      for (const rule of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]) {
        expect(policy).toContain(rule)
      }
      expect(policy).not.toContain('unsafe')
    }
  })

  test('has immutable files, compressed as the browser accepts', async () => {
    const plain = await get('/console/assets/index-abc123.js')
    expect(plain.body).toBe(SCRIPT)
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    })
    await until('the file to be compressed', async () => {
      const { headers } = await get('/console/assets/index-abc123.js', { 'accept-encoding': 'br' })
      return headers['content-encoding'] === 'br'
    })
    for (const [accepted, used] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { headers } = await get('/console/assets/index-abc123.js', { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBe(used)
    }
    const known = await get('/console/assets/index-abc123.js', { 'if-none-match': String(plain.headers.etag) })
    expect(known.statusCode).toBe(304)
  })

  test('serves no other files', async () => {
    const paths = [
      'notes.secret',
      'assets/none.js',
      '../package.json',
      '%2e%2e/package.json',
      'assets/..%2f..%2fpackage.json',
    ]
    for (const path of paths) expect([path, (await get(`/console/${path}`)).statusCode]).toEqual([path, 404])
    expect((await get('/console/api/none')).statusCode).toBe(404)
  })

  test('is reloaded after a new build', async () => {
    await writeFile(`${folder.path}/index.html`, '<!doctype html><title>Newer</title>')
    await utimes(`${folder.path}/index.html`, new Date(), new Date(Date.now() + 5_000))
    expect((await get('/console')).body).toContain('Newer')
  })
})
