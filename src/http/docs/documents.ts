import type { FastifyInstance, FastifyReply } from 'fastify'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../values/package-files.ts'
import { NO_BODY } from '../body/policy.ts'
import { compressedOnce } from '../connection/compress.ts'
import { docsPage } from './docs-page.ts'
import { guidePage } from './guide-page.ts'

const OPENAPI = packageFile('openapi.json')
/** Documents that the console and alerts link to, by the name of their file in docs/. */
const GUIDES = { runbook: 'Gangan runbook', probes: 'Gangan: probes' }
const config = { who: 'public', quiet: true, body: NO_BODY } as const
const hidden = (summary: string) => ({ config, schema: { hide: true, summary } })
/** One self-contained document: inline styles, no scripts, no external resources. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
const CACHED = { 'cache-control': 'public, max-age=300' }

/**
 * Serves openapi.json, the reference page and the guides, each read and compressed on first use. Fastify routes rather than
 * operations, because the answers are documents.
 */
export function documentRoutes(app: FastifyInstance): void {
  const text = (): string => readFileSync(OPENAPI, 'utf8')
  const sendOpenapi = compressedOnce(text)
  const sendPage = compressedOnce(() => docsPage(JSON.parse(text())))

  app.get('/openapi.json', hidden('The interface description'), (request, reply) =>
    sendOpenapi(request, reply.headers(CACHED).type('application/json; charset=utf-8')),
  )

  app.get('/docs', hidden('The reference'), (request, reply) => sendPage(request, asPage(reply)))

  for (const [name, title] of Object.entries(GUIDES)) {
    const send = compressedOnce(() => guidePage(title, readFileSync(packageFile(`docs/${name}.md`), 'utf8')))
    app.get(`/docs/${name}`, hidden(title), (request, reply) => send(request, asPage(reply)))
  }

  app.get('/', hidden('On to the console'), (_request, reply) => reply.redirect('/console', 302))
}

function asPage(reply: FastifyReply): FastifyReply {
  return reply
    .headers({ ...CACHED, 'content-security-policy': CSP, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
}
