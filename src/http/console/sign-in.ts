import { SESSIONS_ENDED } from '../../users/login/session.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UntrustedLogout } from '../../sign-in/logout-token.ts'
import type { Provider } from '../../sign-in/provider.ts'
import { ATTEMPT_S, openAttempt, sealAttempt, sealSentence } from '../../sign-in/sealed.ts'
import { beginSignIn, endByProvider, finishSignIn } from '../../sign-in/sign-in.ts'
import { isUnavailable, whyOf } from '../../sign-in/trouble.ts'
import { Refusal } from '../../values/refusal.ts'
import { NO_BODY, type BodyPolicy } from '../body/policy.ts'
import type { HttpDeps } from '../deps.ts'
import { field, readForm } from '../dialects/request.ts'
import { clientOf, cookieOf, publicUrl, SENTENCE, setCookies, setPassing } from '../route/visitor.ts'

/** Cookie of a sign-in in progress. */
const ATTEMPT = 'gangan_sign_in'
const SENTENCE_S = 60

const LOGOUT_BODY: BodyPolicy = { takes: ['form', 'json'], bytes: 64 * 1024 }
const CONSOLE = '/console/'

type Asked = FastifyRequest<{ Params: { provider: string } }>

/**
 * Sign-in through an OpenID Connect provider. Fastify routes rather than operations: the browser is redirected, and
 * providers post forms. Redirects go to the provider's address or our console, never to an address from a request.
 */
export function signInRoutes(app: FastifyInstance, deps: HttpDeps): void {
  void app.register(async (inner) => {
    const options = (summary: string, body = NO_BODY) => ({
      config: { who: 'public' as const, body },
      exposeHeadRoute: false,
      schema: { hide: true, summary },
    })

    inner.get<{ Params: { provider: string } }>(
      '/console/sign-in/:provider',
      options('Sign in by a provider'),
      async (request, reply) =>
        orTell(deps, request, reply, async (provider) => {
          const { url, attempt } = await beginSignIn(deps, provider, redirectUri(deps, request, provider))
          setPassing(deps, reply, ATTEMPT, sealAttempt(deps, attempt), ATTEMPT_S)
          return url
        }),
    )

    inner.get<{ Params: { provider: string } }>(
      '/console/sign-in/:provider/return',
      options('Come back from a provider'),
      async (request, reply) =>
        orTell(deps, request, reply, async (provider) => {
          const attempt = openAttempt(deps, cookieOf(deps, request, ATTEMPT))
          setPassing(deps, reply, ATTEMPT, '', 0)
          const query = request.url.slice(request.url.indexOf('?') + 1)
          const returned_to = new URL(`${redirectUri(deps, request, provider)}?${query}`)
          const client = clientOf(deps, request)
          const { entry } = await finishSignIn(deps, provider, { returned_to, attempt, client })
          setCookies(deps, reply, entry)
          return CONSOLE
        }),
    )

    inner.post<{ Params: { provider: string } }>(
      '/console/sign-in/:provider/logout',
      options('A provider ends sessions', LOGOUT_BODY),
      async (request, reply) => {
        const provider = providerOf(deps, request)
        const token = field(readForm(request.body), 'logout_token')
        const fault = token === undefined ? 'logout_token is missing' : await endBy(deps, provider, token)
        if (fault === undefined) return reply.code(200).send()
        return reply.code(400).send({ error: 'invalid_request', error_description: fault })
      },
    )
  })
}

/** Ends the sessions named by a logout token; returns an error sentence if it is not one of the provider's. */
async function endBy(deps: HttpDeps, provider: Provider, token: string): Promise<string | undefined> {
  try {
    await endByProvider(deps, provider, token)
    deps.wakeups.wake(SESSIONS_ENDED)
    return undefined
  } catch (fault) {
    if (isUnavailable(fault)) throw new Refusal('unavailable', 'The provider does not answer.', [], 1)
    if (!(fault instanceof UntrustedLogout)) throw fault
    deps.log.warn({ provider: provider.settings.name, why: whyOf(fault) }, 'a logout token was refused')
    return 'the logout token cannot be trusted'
  }
}

/** Redirects the browser. A refusal redirects to the login page, which shows its sentence. */
async function orTell(
  deps: HttpDeps,
  request: Asked,
  reply: FastifyReply,
  work: (provider: Provider) => Promise<string>,
): Promise<FastifyReply> {
  reply.header('referrer-policy', 'no-referrer')
  const provider = providerOf(deps, request)
  try {
    return reply.redirect(await work(provider))
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    deps.log.info({ provider: provider.settings.name, why: fault.message }, 'a sign-in was refused')
    setPassing(deps, reply, SENTENCE, sealSentence(deps, fault.message), SENTENCE_S)
    return reply.redirect(CONSOLE)
  }
}

function providerOf({ sign_in }: HttpDeps, { params }: Asked): Provider {
  const provider = sign_in.providers.get(params.provider)
  if (!provider) throw new Refusal('not_found', 'There is no such provider.')
  return provider
}

function redirectUri(deps: HttpDeps, request: FastifyRequest, { settings }: Provider): string {
  return `${publicUrl(deps, request)}/console/sign-in/${settings.name}/return`
}
