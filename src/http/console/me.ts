import type { FastifyInstance } from 'fastify'
import { changePassword, confirmPassword, rename, requireUser } from '../../users/me.ts'
import { CodeBody, ConfirmBody, NameBody, PasswordBody } from '../../users/schema.ts'
import { endElsewhere, findOwnSessions } from '../../users/session.ts'
import { confirmTwoFactor, proposeTwoFactor, stopTwoFactor } from '../../users/two-factor.ts'
import { shownUser } from '../../users/view.ts'
import { isId } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { refuseMisshapen } from '../route/faults.ts'
import { consoleRoute } from './console-route.ts'
import type { ConsoleAnswers } from './schema.ts'
import { sessionAnswer } from './session.ts'
import { actorOf, clearSession, clientOf, SESSIONS_ENDED, setCookies, visitorIn } from './visitor.ts'

/** What people do with their own account. */
export function meRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.patch<{ Body: NameBody }>(
    '/console/api/me',
    consoleRoute(deps, { for: 'visitor', body: NameBody }),
    async (request): Promise<ConsoleAnswers['PATCH /console/api/me']> => {
      refuseMisshapen(request)
      return { user: shownUser(await rename(deps, actorOf(request), visitorIn(request).user_id, request.body.name)) }
    },
  )

  app.post<{ Body: PasswordBody }>(
    '/console/api/me/password',
    consoleRoute(deps, { for: 'visitor', body: PasswordBody }),
    async (request, reply) => {
      refuseMisshapen(request)
      const { user_id } = visitorIn(request)
      const changed = await changePassword(deps, actorOf(request), user_id, request.body, clientOf(deps, request))
      setCookies(deps, reply, changed.entry)
      deps.wakeups.wake(SESSIONS_ENDED)
      return sessionAnswer(deps, request, changed.user, changed.entry.token)
    },
  )

  twoFactorRoutes(app, deps)
  ownSessionRoutes(app, deps)
}

function twoFactorRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.post<{ Body: ConfirmBody }>(
    '/console/api/me/totp',
    consoleRoute(deps, { for: 'visitor', body: ConfirmBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/me/totp']> => {
      refuseMisshapen(request)
      const user = await requireUser(deps, visitorIn(request).user_id)
      await confirmPassword(deps, user, 'password', request.body.password)
      return proposeTwoFactor(deps, user)
    },
  )

  app.post<{ Body: CodeBody }>(
    '/console/api/me/totp/confirm',
    consoleRoute(deps, { for: 'visitor', body: CodeBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/me/totp/confirm']> => {
      refuseMisshapen(request)
      const user = await requireUser(deps, visitorIn(request).user_id)
      return { recovery_codes: await confirmTwoFactor(deps, actorOf(request), user, request.body.code) }
    },
  )

  app.delete<{ Body: ConfirmBody }>(
    '/console/api/me/totp',
    consoleRoute(deps, { for: 'visitor', body: ConfirmBody }),
    async (request, reply) => {
      refuseMisshapen(request)
      const user = await requireUser(deps, visitorIn(request).user_id)
      await confirmPassword(deps, user, 'password', request.body.password)
      await stopTwoFactor(deps, actorOf(request), user)
      return reply.code(204).send()
    },
  )
}

function ownSessionRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/console/api/me/sessions',
    consoleRoute(deps, { for: 'visitor' }),
    async (request): Promise<ConsoleAnswers['GET /console/api/me/sessions']> => ({
      sessions: await findOwnSessions(deps, visitorIn(request)),
    }),
  )

  app.delete('/console/api/me/sessions', consoleRoute(deps, { for: 'visitor' }), async (request, reply) => {
    await endElsewhere(deps, actorOf(request), visitorIn(request))
    deps.wakeups.wake(SESSIONS_ENDED)
    return reply.code(204).send()
  })

  app.delete<{ Params: { id: string } }>(
    '/console/api/me/sessions/:id',
    consoleRoute(deps, { for: 'visitor' }),
    async (request, reply) => {
      const { id } = request.params
      if (!isId(id)) throw new Refusal('not_found', 'There is no such session.')
      await endElsewhere(deps, actorOf(request), visitorIn(request), id)
      deps.wakeups.wake(SESSIONS_ENDED)
      if (id === visitorIn(request).session_id) clearSession(deps, reply)
      return reply.code(204).send()
    },
  )
}
