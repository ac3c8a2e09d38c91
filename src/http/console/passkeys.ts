import { admitPasskey } from '../../users/login/limits.ts'
import { loginByPasskey } from '../../users/login/passkey-login.ts'
import { askForPasskey } from '../../users/login/passkey.ts'
import { addPasskey, changePasskey, findPasskeys, proposePasskey, removePasskey } from '../../users/login/passkeys.ts'
import { ChallengeBody, PasskeyBody, PasskeyChange, PasskeyLoginBody } from '../../users/login/schema.ts'
import { confirmSelf, requireUser } from '../../users/me.ts'
import { ConfirmBody } from '../../users/schema.ts'
import { isId } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { actorOf, clientOf, setCookies } from '../route/visitor.ts'
import { IdParams } from '../shapes.ts'
import { NewPasskey, PasskeyAnswer, PasskeyProposal, Passkeys, Session } from './people/schema.ts'
import { requirePasswords, sessionAnswer } from './session.ts'

/** Passkeys: logging in with one, and those of a user's own account. */
export function passkeyRoutes(deps: HttpDeps): Route[] {
  return [...loginRoutes(deps), ...ownPasskeyRoutes(deps)]
}

function loginRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/console/api/passkeys/challenge',
      who: 'guest',
      summary: 'Ask for a passkey',
      answer: PasskeyAnswer,
      body: ChallengeBody,
      run: async (request) => {
        const { address, site } = clientOf(deps, request)
        await admitPasskey(deps, address)
        return { options: await askForPasskey(deps, site, request.body.purpose) }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/sign-in/passkey',
      who: 'guest',
      summary: 'Log in with a passkey',
      answer: Session,
      body: PasskeyLoginBody,
      run: async (request, reply) => {
        requirePasswords(deps)
        const { entry, user } = await loginByPasskey(deps, request.body.passkey, clientOf(deps, request))
        setCookies(deps, reply, entry)
        return sessionAnswer(deps, request, user, entry.token)
      },
    }),
  ]
}

function ownPasskeyRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/me/passkeys',
      who: 'visitor',
      summary: 'List your passkeys',
      answer: Passkeys,
      run: async (request) => {
        const { site } = clientOf(deps, request)
        return { passkeys: await findPasskeys(deps, site, request.visitor.user_id) }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/me/passkeys/challenge',
      who: 'visitor',
      summary: 'Begin to register a passkey',
      answer: PasskeyProposal,
      body: ConfirmBody,
      run: async (request) => {
        const user = await requireUser(deps, request.visitor.user_id)
        await confirmSelf(deps, user, request.visitor, request.body.password)
        return { options: await proposePasskey(deps, clientOf(deps, request).site, user) }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/me/passkeys',
      who: 'visitor',
      summary: 'Register a passkey',
      answer: NewPasskey,
      body: PasskeyBody,
      run: async (request) => {
        const user = await requireUser(deps, request.visitor.user_id)
        return addPasskey(deps, actorOf(request), clientOf(deps, request).site, user, request.body)
      },
    }),

    route({
      method: 'PATCH',
      path: '/console/api/me/passkeys/:id',
      who: 'visitor',
      summary: 'Rename a passkey',
      params: IdParams,
      body: PasskeyChange,
      run: async (request) => {
        const user = await requireUser(deps, request.visitor.user_id)
        await changePasskey(deps, actorOf(request), user, requireId(request.params.id), request.body.name)
      },
    }),

    route({
      method: 'DELETE',
      path: '/console/api/me/passkeys/:id',
      who: 'visitor',
      summary: 'Remove a passkey',
      params: IdParams,
      body: ConfirmBody,
      run: async (request) => {
        const user = await requireUser(deps, request.visitor.user_id)
        const id = requireId(request.params.id)
        await confirmSelf(deps, user, request.visitor, request.body.password)
        await removePasskey(deps, actorOf(request), user, id)
      },
    }),
  ]
}

function requireId(id: string): string {
  if (!isId(id)) throw new Refusal('not_found', 'There is no such passkey.')
  return id
}
