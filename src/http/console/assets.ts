import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../values/refusal.ts'
import { NO_BODY } from '../body/policy.ts'
import { readClient, type Asset, type ReadClient } from './client-files.ts'

/** Only resources of this origin, and no inline code. */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-frame-options': 'DENY',
}
const config = { who: 'public', quiet: true, body: NO_BODY } as const
const schema = { hide: true, summary: 'Console' }

/**
 * Serves the built console: files with hashed names, cached forever; the page itself, revalidated on each load. Fastify
 * routes rather than operations, because the answers are files.
 */
export function clientRoutes(app: FastifyInstance): void {
  assetRoutes(app, readClient)
}

export function assetRoutes(app: FastifyInstance, read: ReadClient): void {
  app.get('/console', { config, schema }, (request, reply) => sendPage(request, reply, read))

  app.get<{ Params: { '*': string } }>('/console/*', { config, schema }, async (request, reply) => {
    const path = request.params['*']
    if (path.startsWith('api/')) throw new Refusal('not_found', 'There is no such path.')
    const asset = path === 'index.html' ? undefined : (await read())?.get(path)
    if (asset) return sendAsset(request, reply, asset, path)
    if (/\.\w+$/.test(path) && path !== 'index.html') throw new Refusal('not_found', 'There is no such file.')
    return sendPage(request, reply, read)
  })
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, read: ReadClient): Promise<FastifyReply> {
  const page = (await read())?.get('index.html')
  if (page) return sendAsset(request, reply, page, 'index.html')
  return reply
    .headers({ ...HEADERS, 'cache-control': 'no-cache' })
    .type('text/html; charset=utf-8')
    .send(NOT_BUILT)
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, path: string): FastifyReply {
  const forever = path.startsWith('assets/')
  reply.headers({
    ...HEADERS,
    'cache-control': forever ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: asset.etag,
    vary: 'accept-encoding',
    'content-type': asset.type,
  })
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  if (asset.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(asset.br)
  if (asset.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(asset.gzip)
  return reply.send(asset.body)
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Gangan</title><meta name="viewport" content="width=device-width"></head>
  <body>
    <h1>The console is not built yet</h1>
    <p>Run <code>npm run build</code> and reload this page. The API works without it: see the
      <a href="/docs">reference</a>.</p>
  </body>
</html>
`
