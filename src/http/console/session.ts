import type { FastifyRequest } from 'fastify'
import { findOrganisations, readOrganisation } from '../../organisations/read.ts'
import { findCallerOf, findFirstOrganisation } from '../../organisations/store.ts'
import { ANY_CODE } from '../../messaging/links/codes.ts'
import type { ShownOrganisation } from '../../organisations/schema.ts'
import { requiredFactors, submitFactor } from '../../sign-in/code.ts'
import { openSentence } from '../../sign-in/sealed.ts'
import { endOwnSession, SESSIONS_ENDED } from '../../users/login/session.ts'
import { login } from '../../users/login/login.ts'
import { requireUser } from '../../users/me.ts'
import { SecondFactor } from '../../users/login/schema.ts'
import { LinkBody, LoginBody, WelcomeBody } from '../../users/schema.ts'
import { rightsOf } from '../../users/roles.ts'
import type { UserRow } from '../../users/store.ts'
import { csrfToken } from '../../users/login/token.ts'
import { shownUser } from '../../users/view.ts'
import { enterByLink, readLink, welcome } from '../../users/welcome.ts'
import { isId } from '../../values/id.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { openapiInfo } from '../docs/openapi-info.ts'
import { noticesOf } from './forwarded.ts'
import { Session, SignInWays, Welcome } from './people/schema.ts'
import {
  chosenIn,
  clearSession,
  clientOf,
  cookieOf,
  publicUrl,
  SENTENCE,
  sessionToken,
  setCookies,
  setPassing,
} from '../route/visitor.ts'
import { route, type Route } from '../route/route.ts'

/** Organisations listed in the session; an operator searches for others. */
const LISTED_ORGANISATIONS = 50

/** Login, links, sessions and logout. */
export function sessionRoutes(deps: HttpDeps): Route[] {
  const version = openapiInfo().info['x-build']
  return [
    route({
      method: 'POST',
      path: '/console/api/login',
      who: 'guest',
      summary: 'Log in',
      answer: Session,
      body: LoginBody,
      run: async (request, reply) => {
        requirePasswords(deps)
        const { entry, user } = await login(deps, request.body, clientOf(deps, request))
        setCookies(deps, reply, entry)
        return sessionAnswer(deps, request, user, entry.token, version)
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/welcome/check',
      who: 'guest',
      summary: 'Check an invitation',
      answer: Welcome,
      body: LinkBody,
      run: async ({ body }) => {
        const { user, ...link } = await readLink(deps, body.token)
        if (link.purpose !== 'enter') requirePasswords(deps)
        const own = user.organisation_id === null ? undefined : await readOrganisation(deps, user.organisation_id)
        return { ...link, ...(own ? { organisation_name: own.name } : {}) }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/welcome',
      who: 'guest',
      summary: 'Accept an invitation and set a password',
      answer: Session,
      body: WelcomeBody,
      run: async (request, reply) => {
        requirePasswords(deps)
        const { entry, user } = await welcome(deps, request.body, clientOf(deps, request))
        setCookies(deps, reply, entry)
        return sessionAnswer(deps, request, user, entry.token, version)
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/enter',
      who: 'guest',
      summary: 'Log in by a link of the command line',
      answer: Session,
      body: LinkBody,
      run: async (request, reply) => {
        const { entry, user } = await enterByLink(deps, request.body.token, clientOf(deps, request))
        setCookies(deps, reply, entry)
        return sessionAnswer(deps, request, user, entry.token, version)
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/sign-in',
      who: 'guest',
      summary: 'List login methods',
      answer: SignInWays,
      run: async (request, reply) => {
        const sealed_sentence = cookieOf(deps, request, SENTENCE)
        if (sealed_sentence !== undefined) setPassing(deps, reply, SENTENCE, '', 0)
        return {
          password: deps.sign_in.password,
          providers: [...deps.sign_in.providers.values()].map(({ settings: { name, label } }) => ({ name, label })),
          owes: await requiredFactors(deps, sessionToken(deps, request)),
          ...present('sentence', openSentence(deps, sealed_sentence)),
        }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/sign-in/code',
      who: 'guest',
      summary: 'Complete a sign-in with the second factor',
      answer: Session,
      body: SecondFactor,
      run: async (request) => {
        const client = clientOf(deps, request)
        const { user, token } = await submitFactor(deps, sessionToken(deps, request), request.body, client)
        return sessionAnswer(deps, request, user, token, version)
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/session',
      who: 'visitor',
      summary: 'Read the session',
      answer: Session,
      run: async (request) => {
        const { user_id, token } = request.visitor
        return sessionAnswer(deps, request, await requireUser(deps, user_id), token, version)
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/logout',
      who: 'visitor',
      summary: 'Log out',
      run: async ({ visitor }, reply) => {
        await endOwnSession(deps, visitor.user_id, visitor.session_id)
        clearSession(deps, reply)
        deps.wakeups.wake(SESSIONS_ENDED)
      },
    }),
  ]
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
    rights: rightsOf(user.organisation_id === null ? 'operator' : user.role),
    organisations: await organisationsOf(deps, user.organisation_id, chosenIn(request)),
    passwords: deps.sign_in.password,
    sandbox: deps.sandbox,
    public_url: publicUrl(deps, request),
    short_link: `${deps.public_url}/l/${ANY_CODE}`,
    version,
    notices: user.organisation_id === null ? noticesOf(request) : [],
  }
}

export function requirePasswords({ sign_in }: HttpDeps): void {
  if (!sign_in.password) throw new Refusal('forbidden', 'Passwords are disabled here: log in through a provider.')
}

/** `chosen`: the organisation or twin that the browser showed last. */
async function organisationsOf(
  deps: HttpDeps,
  organisation_id: string | null,
  chosen: unknown,
): Promise<ShownOrganisation[]> {
  if (organisation_id === null) return organisationsForOperator(deps, chosen)
  const own = await readOrganisation(deps, organisation_id)
  return own ? [own] : []
}

/** The newest, with the chosen one; the first of the installation comes last. */
async function organisationsForOperator(deps: HttpDeps, chosen: unknown): Promise<ShownOrganisation[]> {
  const { organisations: newest } = await findOrganisations(deps, { limit: LISTED_ORGANISATIONS })
  const last = isId(chosen) ? await findCallerOf(deps.db, chosen) : undefined
  const first = await findFirstOrganisation(deps.db)
  const added = [last && (last.twin_of ?? last.organisation_id), first?.id].filter((id) => id !== undefined)
  const others = await Promise.all([...new Set(added)].map(async (id) => readOrganisation(deps, id)))
  const all = new Map([...newest, ...others.filter((one) => one !== undefined)].map((one) => [one.id, one]))
  const is_first = ({ id }: ShownOrganisation): boolean => id === first?.id
  return [...all.values()].toSorted((one, other) => Number(is_first(one)) - Number(is_first(other)))
}
