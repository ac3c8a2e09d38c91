import { changePassword, changeSelf, confirmSelf, requireUser } from '../../users/me.ts'
import { CodeBody, ConfirmBody, PasswordBody, SelfChange, TotpProposal } from '../../users/schema.ts'
import { endElsewhere, findOwnSessions, SESSIONS_ENDED } from '../../users/login/session.ts'
import { confirmTwoFactor, proposeTwoFactor, stopTwoFactor } from '../../users/login/two-factor.ts'
import { shownUser } from '../../users/view.ts'
import { isId } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { requirePasswords, sessionAnswer } from './session.ts'
import { actorOf, clearSession, clientOf, setCookies } from '../route/visitor.ts'
import { OpenSessions, RecoveryCodes, Session, UserAnswer } from './people/schema.ts'

/** A user's own account. */
export function meRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/console/api/me',
      who: 'visitor',
      summary: 'Change your name or language',
      answer: UserAnswer,
      body: SelfChange,
      run: async (request) => {
        const { visitor, body } = request
        return { user: shownUser(await changeSelf(deps, actorOf(request), visitor.user_id, body)) }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/me/password',
      who: 'visitor',
      summary: 'Change your password',
      answer: Session,
      body: PasswordBody,
      run: async (request, reply) => {
        requirePasswords(deps)
        const { visitor, body } = request
        const changed = await changePassword(deps, actorOf(request), visitor.user_id, body, clientOf(deps, request))
        setCookies(deps, reply, changed.entry)
        deps.wakeups.wake(SESSIONS_ENDED)
        return sessionAnswer(deps, request, changed.user, changed.entry.token)
      },
    }),

    ...twoFactorRoutes(deps),
    ...ownSessionRoutes(deps),
  ]
}

function twoFactorRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/console/api/me/totp',
      who: 'visitor',
      summary: 'Set up two-factor authentication',
      answer: TotpProposal,
      body: ConfirmBody,
      run: async ({ visitor, body }) => {
        const user = await requireUser(deps, visitor.user_id)
        await confirmSelf(deps, user, visitor, body.password)
        return proposeTwoFactor(deps, user)
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/me/totp/confirm',
      who: 'visitor',
      summary: 'Confirm two-factor authentication',
      answer: RecoveryCodes,
      body: CodeBody,
      run: async (request) => {
        const user = await requireUser(deps, request.visitor.user_id)
        return { recovery_codes: await confirmTwoFactor(deps, actorOf(request), user, request.body.code) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/console/api/me/totp',
      who: 'visitor',
      summary: 'Disable two-factor authentication',
      body: ConfirmBody,
      run: async (request) => {
        const user = await requireUser(deps, request.visitor.user_id)
        await confirmSelf(deps, user, request.visitor, request.body.password)
        await stopTwoFactor(deps, actorOf(request), user)
      },
    }),
  ]
}

function ownSessionRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/me/sessions',
      who: 'visitor',
      summary: 'List your sessions',
      answer: OpenSessions,
      run: async ({ visitor }) => ({ sessions: await findOwnSessions(deps, visitor) }),
    }),

    route({
      method: 'DELETE',
      path: '/console/api/me/sessions',
      who: 'visitor',
      summary: 'End your other sessions',
      run: async (request) => {
        await endElsewhere(deps, actorOf(request), request.visitor)
        deps.wakeups.wake(SESSIONS_ENDED)
      },
    }),

    route({
      method: 'DELETE',
      path: '/console/api/me/sessions/:id',
      who: 'visitor',
      summary: 'End one of your sessions',
      params: IdParams,
      run: async (request, reply) => {
        const {
          visitor,
          params: { id },
        } = request
        if (!isId(id)) throw new Refusal('not_found', 'There is no such session.')
        await endElsewhere(deps, actorOf(request), visitor, id)
        deps.wakeups.wake(SESSIONS_ENDED)
        if (id === visitor.session_id) clearSession(deps, reply)
      },
    }),
  ]
}
