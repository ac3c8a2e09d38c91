import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { docsPage } from './docs-page.ts'

const OPENAPI = new URL('../../openapi.json', import.meta.url)
const config = { quiet: true, compress: true }
/** The page is one document: its own styles, no script, nothing from anywhere else. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** The interface description and its readable form. Both are read once, when first asked for. */
export function documentRoutes(app: FastifyInstance): void {
  let openapi: string | undefined
  let page: string | undefined
  const text = (): string => (openapi ??= readFileSync(OPENAPI, 'utf8'))

  app.get('/openapi.json', { config, schema: { hide: true } }, (_request, reply) => {
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text())
  })

  app.get('/docs', { config, schema: { hide: true } }, (_request, reply) => {
    page ??= docsPage(JSON.parse(text()))
    return reply
      .headers({
        'content-security-policy': CSP,
        'referrer-policy': 'no-referrer',
        'cache-control': 'public, max-age=300',
      })
      .type('text/html; charset=utf-8')
      .send(page)
  })

  app.get('/', { config, schema: { hide: true } }, (_request, reply) => reply.redirect('/console', 302))
}
