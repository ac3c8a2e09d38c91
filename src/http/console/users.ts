import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findAudit } from '../../users/audit.ts'
import { inviteAgain, inviteUser } from '../../users/invite.ts'
import { findUsers, switchUser } from '../../users/manage.ts'
import { DisableBody, InviteBody, type Invitation } from '../../users/schema.ts'
import { isId } from '../../values/id.ts'
import { PageQuery } from '../../values/page.ts'
import { Refusal } from '../../values/refusal.ts'
import { findOrganisation } from '../../organisations/store.ts'
import type { HttpDeps } from '../deps.ts'
import { refuseMisshapen } from '../route/faults.ts'
import { requestMeta } from '../route/meta.ts'
import { consoleRoute, requireOperator } from './console-route.ts'
import type { Invited } from './people/schema.ts'
import type { ConsoleAnswers } from './schema.ts'
import { publicUrl } from './session.ts'
import { actorOf, chosenBy, chosenIn, SESSIONS_ENDED, visitorIn } from './visitor.ts'

const ListQuery = Type.Object({ ...PageQuery.properties, operators: Type.Optional(Type.Boolean()) })
type ListQuery = PageQuery & { operators?: boolean }

const AuditQuery = Type.Object({ ...PageQuery.properties, installation: Type.Optional(Type.Boolean()) })
type AuditQuery = PageQuery & { installation?: boolean }

/** The people of an organisation, the operators, and what all of them did. */
export function userRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: ListQuery }>(
    '/console/api/users',
    consoleRoute(deps, { for: 'visitor', querystring: ListQuery }),
    async (request): Promise<ConsoleAnswers['GET /console/api/users']> => {
      refuseMisshapen(request)
      const owner = await ownerOf(deps, request, request.query.operators)
      const { users, pagination } = await findUsers(deps, owner, request.query)
      return { users, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.post<{ Body: InviteBody }>(
    '/console/api/users',
    consoleRoute(deps, { for: 'visitor', body: InviteBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/users']> => {
      refuseMisshapen(request)
      const { email, name, operator } = request.body
      const organisation_id = await ownerOf(deps, request, operator)
      const invitation = await inviteUser(deps, actorOf(request), { email, name, organisation_id })
      return invited(deps, request, invitation)
    },
  )

  app.post<{ Params: { id: string }; Querystring: ListQuery }>(
    '/console/api/users/:id/invite',
    consoleRoute(deps, { for: 'visitor', querystring: ListQuery }),
    async (request): Promise<ConsoleAnswers['POST /console/api/users/{id}/invite']> => {
      const operators = request.query.operators ?? false
      const owner = await ownerOf(deps, request, operators)
      const may_reset = visitorIn(request).organisation_id === null && !operators
      const id = idOf(request.params.id)
      const invitation = await inviteAgain(deps, actorOf(request), owner, id, may_reset)
      deps.wakeups.wake(SESSIONS_ENDED)
      return invited(deps, request, invitation)
    },
  )

  app.patch<{ Params: { id: string }; Body: DisableBody; Querystring: ListQuery }>(
    '/console/api/users/:id',
    consoleRoute(deps, { for: 'visitor', body: DisableBody, querystring: ListQuery }),
    async (request): Promise<ConsoleAnswers['PATCH /console/api/users/{id}']> => {
      refuseMisshapen(request)
      const owner = await ownerOf(deps, request, request.query.operators)
      const { disabled } = request.body
      const user = await switchUser(deps, actorOf(request), owner, idOf(request.params.id), disabled)
      deps.wakeups.wake(SESSIONS_ENDED)
      return { user }
    },
  )

  app.get<{ Querystring: AuditQuery }>(
    '/console/api/audit',
    consoleRoute(deps, { for: 'visitor', querystring: AuditQuery, compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/audit']> => {
      refuseMisshapen(request)
      const owner = await whose(deps, request, request.query.installation)
      const { entries, pagination } = await findAudit(deps, owner, request.query)
      return { entries, meta: { ...requestMeta(request), pagination } }
    },
  )
}

/** Null for the operators' side, which only operators see; otherwise the chosen organisation. */
async function whose(deps: HttpDeps, request: FastifyRequest, operators = false): Promise<string | null> {
  if (operators) {
    requireOperator(request)
    return null
  }
  return (await chosenBy(deps, visitorIn(request), chosenIn(request))).organisation_id
}

/** People belong to the organisation, not to its test twin. */
async function ownerOf(deps: HttpDeps, request: FastifyRequest, operators = false): Promise<string | null> {
  const id = await whose(deps, request, operators)
  return id === null ? null : ((await findOrganisation(deps.db, id))?.twin_of ?? id)
}

function idOf(given: string): string {
  if (!isId(given)) throw new Refusal('not_found', 'There is no such user.')
  return given
}

function invited(deps: HttpDeps, request: FastifyRequest, { user, token, expires_datetime }: Invitation): Invited {
  return { user, invite_url: `${publicUrl(deps, request)}/console/#/welcome?token=${token}`, expires_datetime }
}
