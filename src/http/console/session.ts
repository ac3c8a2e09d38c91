import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findOrganisations, readOrganisation } from '../../organisations/read.ts'
import type { ShownOrganisation } from '../../organisations/schema.ts'
import { endOwnSession } from '../../users/session.ts'
import { login } from '../../users/login.ts'
import { requireUser } from '../../users/me.ts'
import { LinkBody, LoginBody, WelcomeBody } from '../../users/schema.ts'
import type { UserRow } from '../../users/store.ts'
import { csrfToken } from '../../users/token.ts'
import { shownUser } from '../../users/view.ts'
import { readLink, welcome } from '../../users/welcome.ts'
import type { HttpDeps } from '../deps.ts'
import { openapiInfo } from '../docs/openapi-info.ts'
import { refuseMisshapen } from '../route/faults.ts'
import { consoleRoute } from './console-route.ts'
import { noticesOf } from './forwarded.ts'
import type { Session } from './people/schema.ts'
import type { ConsoleAnswers } from './schema.ts'
import { clearSession, clientOf, refuseOtherSites, SESSIONS_ENDED, setCookies, visitorIn } from './visitor.ts'

/** An operator of many organisations searches for the others. */
const LISTED_ORGANISATIONS = 50

/** Coming in and going out. */
export function sessionRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const version = openapiInfo().info['x-build']
  const open = (body: typeof LoginBody | typeof LinkBody | typeof WelcomeBody) => ({
    onRequest: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      refuseOtherSites(request)
      done()
    },
    attachValidation: true,
    config: { who: 'stranger' as const },
    schema: { hide: true, body },
  })

  app.post<{ Body: LoginBody }>('/console/api/login', open(LoginBody), async (request, reply) => {
    refuseMisshapen(request)
    const { entry, user } = await login(deps, request.body, clientOf(deps, request))
    setCookies(deps, reply, entry)
    return sessionAnswer(deps, request, user, entry.token, version)
  })

  app.post<{ Body: LinkBody }>(
    '/console/api/welcome/check',
    open(LinkBody),
    async (request): Promise<ConsoleAnswers['POST /console/api/welcome/check']> => {
      refuseMisshapen(request)
      const { user, ...link } = await readLink(deps, request.body.token)
      const own = user.organisation_id === null ? undefined : await readOrganisation(deps, user.organisation_id)
      return { ...link, ...(own ? { organisation_name: own.name } : {}) }
    },
  )

  app.post<{ Body: WelcomeBody }>('/console/api/welcome', open(WelcomeBody), async (request, reply) => {
    refuseMisshapen(request)
    const { entry, user } = await welcome(deps, request.body, clientOf(deps, request))
    setCookies(deps, reply, entry)
    return sessionAnswer(deps, request, user, entry.token, version)
  })

  app.get(
    '/console/api/session',
    consoleRoute(deps, { for: 'visitor' }),
    async (request): Promise<ConsoleAnswers['GET /console/api/session']> => {
      const { user_id, token } = visitorIn(request)
      return sessionAnswer(deps, request, await requireUser(deps, user_id), token, version)
    },
  )

  app.post('/console/api/logout', consoleRoute(deps, { for: 'visitor' }), async (request, reply) => {
    const { user_id, session_id } = visitorIn(request)
    await endOwnSession(deps, user_id, session_id)
    clearSession(deps, reply)
    deps.wakeups.wake(SESSIONS_ENDED)
    return reply.code(204).send()
  })
}

export async function sessionAnswer(
  deps: HttpDeps,
  request: FastifyRequest,
  user: UserRow,
  token: string,
  version = openapiInfo().info['x-build'],
): Promise<Session> {
  return {
    user: shownUser(user),
    csrf_token: csrfToken(token),
    organisations: await organisationsOf(deps, user.organisation_id),
    sandbox: deps.sandbox,
    public_url: publicUrl(deps, request),
    version,
    notices: user.organisation_id === null ? noticesOf(request) : [],
  }
}

/** Where this installation is, as far as we know: what the operator set, or the host the request came to. */
export function publicUrl({ console_url }: HttpDeps, request: FastifyRequest): string {
  return console_url ?? `${request.protocol}://${request.host}`
}

async function organisationsOf(deps: HttpDeps, organisation_id: string | null): Promise<ShownOrganisation[]> {
  if (organisation_id === null) {
    return (await findOrganisations(deps, { limit: LISTED_ORGANISATIONS })).organisations
  }
  const own = await readOrganisation(deps, organisation_id)
  return own ? [own] : []
}
