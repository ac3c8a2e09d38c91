import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../values/schema/type.ts'
import type { Target } from '../../messaging/links/click-store.ts'
import { NO_BODY } from '../body/policy.ts'
import type { HttpDeps } from '../deps.ts'

const CodeParams = Type.Object({ code: Type.String({ description: 'As in the message.', examples: ['x7Kp2Qr'] }) })

const ROUTE = {
  config: { who: 'public', quiet: true, body: NO_BODY },
  schema: {
    operationId: 'linksOpen',
    summary: 'Open a tracked link',
    description:
      'Redirects to the original link of the message. Counted as a click, unless it is a preview, a bot or a HEAD request. Needs no key.',
    tags: ['Messages'],
    params: CodeParams,
    response: {
      302: { type: 'null', description: 'Redirect to the address in `location`.' },
      404: { description: 'An HTML page that says so.', content: { 'text/html': { schema: Type.String() } } },
    },
  },
} as const

/**
 * Short links in messages: no key, and an HTML page if the link is unknown. A Fastify route rather than an operation,
 * because it redirects, and answers cached links synchronously.
 */
export function linkRoutes(app: FastifyInstance, { links }: HttpDeps): void {
  function lead(request: FastifyRequest, reply: FastifyReply, target: Target | undefined): FastifyReply {
    if (!target) return reply.code(404).headers(PAGE_HEADERS).send(NOWHERE)
    const { 'user-agent': user_agent, 'sec-purpose': sec_purpose, purpose = sec_purpose } = request.headers
    links.count(target, {
      method: request.method,
      user_agent,
      purpose: purpose === undefined ? purpose : String(purpose),
    })
    return reply.code(302).headers({ location: target.url, 'x-robots-tag': 'noindex' }).send()
  }

  app.get<{ Params: { code: string } }>('/l/:code', ROUTE, (request, reply) => {
    const found = links.find(request.params.code)
    return found instanceof Promise ? found.then((target) => lead(request, reply, target)) : lead(request, reply, found)
  })
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-robots-tag': 'noindex',
}
const NOWHERE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This link leads nowhere</title>
<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 20vh auto; padding: 0 1.5rem; color: #222; background: #fff }
  @media (prefers-color-scheme: dark) { body { color: #eee; background: #1b1b1b } }
</style>
<h1>This link leads nowhere</h1>
<p>Perhaps a character is missing at its end, or one is in the wrong case. Please open it again from the message.</p>
</html>
`
