import { SESSIONS_ENDED } from '../../users/login/session.ts'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from '../../values/schema/type.ts'
import { exportAudit, findAudit } from '../../users/audit.ts'
import { inviteAgain, inviteUser } from '../../users/invite.ts'
import { changeUser, findUsers, ownersOnly } from '../../users/manage.ts'
import { mayTouch } from '../../users/roles.ts'
import { InviteBody, UserChange, type Invitation } from '../../users/schema.ts'
import { isId } from '../../values/id.ts'
import { PageQuery } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { findOrganisation } from '../../organisations/store.ts'
import type { HttpDeps } from '../deps.ts'
import { AuditPage, Invited, UserAnswer, UserPage } from './people/schema.ts'
import { readTimes } from '../routes/account/ledger-filter.ts'
import { requireOperator } from '../route/authorize.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { actorOf, chosenBy, chosenIn, publicUrl, visitorIn } from '../route/visitor.ts'

const ListQuery = Type.Object({ ...PageQuery.properties, operators: Type.Optional(Type.Boolean()) })

/** The trigrams of the index need three characters. */
const AUDIT_WORD = { minLength: 3, maxLength: 100, pattern: '^[^\\u0000]*$' }
const AuditFilterQuery = Type.Object({
  installation: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String(AUDIT_WORD)),
  action: Type.Optional(Type.String(AUDIT_WORD)),
  from: Type.Optional(Type.String({ maxLength: 40 })),
  until: Type.Optional(Type.String({ maxLength: 40 })),
})
const AuditQuery = Type.Object({ ...PageQuery.properties, ...AuditFilterQuery.properties })

function auditFilter({ q, action, from, until }: Static<typeof AuditFilterQuery>) {
  const { from_ms, until_ms } = readTimes({ ...present('from', from), ...present('until', until) })
  return { q, action, from_ms, until_ms }
}

/** Users of an organisation, operators, and the audit log. */
export function userRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/users',
      who: 'visitor',
      area: 'users',
      summary: 'List users',
      answer: UserPage,
      query: ListQuery,
      run: async (request) => {
        const owner = await ownerOf(deps, request, request.query.operators)
        return findUsers(deps, owner, request.query)
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/users',
      who: 'visitor',
      area: 'users',
      summary: 'Invite a user',
      answer: Invited,
      body: InviteBody,
      run: async (request) => {
        const { email, name, operator, role = 'viewer' } = request.body
        if (!operator && !mayTouch(request.visitor.role, role)) throw ownersOnly()
        const organisation_id = await ownerOf(deps, request, operator)
        const invitation = await inviteUser(deps, actorOf(request), { email, name, organisation_id, role })
        return invited(deps, request, invitation)
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/users/:id/invite',
      who: 'visitor',
      area: 'users',
      summary: 'Renew an invitation',
      answer: Invited,
      params: IdParams,
      query: ListQuery,
      run: async (request) => {
        const { operators = false } = request.query
        const owner = await ownerOf(deps, request, operators)
        const may_reset = request.visitor.organisation_id === null && !operators
        const id = idOf(request.params.id)
        const { role } = request.visitor
        const invitation = await inviteAgain(deps, actorOf(request), owner, id, { may_reset, role })
        deps.wakeups.wake(SESSIONS_ENDED)
        return invited(deps, request, invitation)
      },
    }),

    route({
      method: 'PATCH',
      path: '/console/api/users/:id',
      who: 'visitor',
      area: 'users',
      summary: 'Disable or enable a user, or change their role',
      answer: UserAnswer,
      params: IdParams,
      query: ListQuery,
      body: UserChange,
      run: async (request) => {
        const { params, query, body } = request
        const owner = await ownerOf(deps, request, query.operators)
        const by = { who: actorOf(request), role: request.visitor.role }
        const user = await changeUser(deps, by, owner, idOf(params.id), body)
        deps.wakeups.wake(SESSIONS_ENDED)
        return { user }
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/audit',
      who: 'visitor',
      area: 'audit',
      summary: 'List the audit log',
      answer: AuditPage,
      query: AuditQuery,
      compress: true,
      run: async (request) => {
        const owner = await whose(deps, request, request.query.installation)
        return findAudit(deps, owner, auditFilter(request.query), request.query)
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/audit.csv',
      who: 'visitor',
      area: 'audit',
      summary: 'Download the audit log as CSV',
      query: AuditFilterQuery,
      file: 'audit.csv',
      run: async (request) => {
        const owner = await whose(deps, request, request.query.installation)
        return exportAudit(deps, owner, auditFilter(request.query))
      },
    }),
  ]
}

/** Null for operators, visible only to them; otherwise the chosen organisation. */
async function whose(deps: HttpDeps, request: FastifyRequest, operators = false): Promise<string | null> {
  if (operators) {
    requireOperator(request)
    return null
  }
  return (await chosenBy(deps, visitorIn(request), chosenIn(request))).organisation_id
}

/** Users belong to the live organisation, not to its test twin. */
async function ownerOf(deps: HttpDeps, request: FastifyRequest, operators = false): Promise<string | null> {
  const id = await whose(deps, request, operators)
  return id === null ? null : ((await findOrganisation(deps.db, id))?.twin_of ?? id)
}

function idOf(given: string): string {
  if (!isId(given)) throw new Refusal('not_found', 'There is no such user.')
  return given
}

function invited(deps: HttpDeps, request: FastifyRequest, { user, token, expires_datetime }: Invitation): Invited {
  const console_url = `${publicUrl(deps, request)}/console/`
  // Without passwords, invited users sign in by a provider.
  const invite_url = deps.sign_in.password ? `${console_url}#/welcome?token=${token}` : console_url
  return { user, invite_url, expires_datetime }
}
