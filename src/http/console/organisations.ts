import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { openAccount, topUpOnce } from '../../billing/balance.ts'
import { TopUpBody } from '../../billing/schema.ts'
import { newSecret } from '../../callbacks/deliver/signature.ts'
import type { Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { foundOrganisation } from '../../organisations/create.ts'
import { noteOnce } from '../../organisations/idempotency-store.ts'
import { findOrganisations, readOrganisation, requireOrganisation } from '../../organisations/read.ts'
import { OrganisationBody } from '../../organisations/schema.ts'
import { findOrganisation } from '../../organisations/store.ts'
import { registerFirstSender } from '../../senders/decide.ts'
import { INSTALLATION, recordAudit } from '../../users/audit.ts'
import { isId, newId } from '../../values/id.ts'
import { moneyFromNumber } from '../../values/money.ts'
import { PageQuery } from '../../values/page.ts'
import { isCountry } from '../../values/phone.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { faultsOf, refuseMisshapen } from '../route/faults.ts'
import { idempotencyOf } from '../route/idempotency.ts'
import { requestMeta } from '../route/meta.ts'
import { consoleRoute } from './console-route.ts'
import type { ConsoleAnswers } from './schema.ts'
import { actorOf, visitorIn } from './visitor.ts'

const ListQuery = Type.Object({ ...PageQuery.properties, search: Type.Optional(Type.String({ maxLength: 200 })) })
type ListQuery = PageQuery & { search?: string }

export function organisationRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: ListQuery }>(
    '/console/api/organisations',
    consoleRoute(deps, { for: 'visitor', querystring: ListQuery, compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/organisations']> => {
      refuseMisshapen(request)
      const { organisation_id } = visitorIn(request)
      if (organisation_id !== null) {
        const own = await readOrganisation(deps, organisation_id)
        return { organisations: own ? [own] : [], meta: requestMeta(request) }
      }
      const { organisations, pagination } = await findOrganisations(deps, request.query)
      return { organisations, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.post<{ Body: OrganisationBody }>(
    '/console/api/organisations',
    consoleRoute(deps, { for: 'operator', body: OrganisationBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/organisations']> => {
      const faults = faultsOf(request)
      const { name, default_country = 'NG', default_sender_id = null, credit = 0 } = request.body
      if (!isCountry(default_country) && !faults.some(({ field }) => field === 'default_country')) {
        const message = `${default_country} is not a country code such as NG.`
        faults.push({ field: 'default_country', message, type: 'invalid' })
      }
      const opening = amountOf('credit', credit, faults)
      const wish = { name, default_country, default_sender_id, currency: deps.currency, credit: opening }
      const founding = { ...deps, openAccount, newCallbackSecret: newSecret, registerSender: registerFirstSender }
      const id = await transaction(deps.db, async (tx) => {
        const organisation_id = newId()
        const known = await madeBefore(tx, request, organisation_id)
        if (known !== undefined) return known
        await foundOrganisation(founding, tx, wish, organisation_id)
        const after = { name, default_country, default_sender_id, credit }
        await recordAudit(tx, actorOf(request), {
          organisation_id,
          action: 'organisation.create',
          subject: organisation_id,
          after,
        })
        return organisation_id
      })
      return { organisation: await requireOrganisation(deps, id) }
    },
  )

  app.post<{ Params: { id: string }; Body: TopUpBody }>(
    '/console/api/organisations/:id/top-ups',
    consoleRoute(deps, { for: 'operator', body: TopUpBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/organisations/{id}/top-ups']> => {
      const faults = faultsOf(request)
      const amount = amountOf('amount', request.body.amount, faults)
      if (amount === 0n) refuseIfFaulty([{ field: 'amount', message: 'Nothing to add.', type: 'invalid' }])
      const organisation = isId(request.params.id) ? await findOrganisation(deps.db, request.params.id) : undefined
      if (!organisation) throw new Refusal('not_found', 'There is no such organisation.')
      const { id: organisation_id, currency } = organisation
      const note = request.body.reason
      const record = { amount, note, subject_id: deedId(request) }
      const entry = await topUpOnce(deps, organisation_id, record, (tx, line) =>
        recordAudit(tx, actorOf(request), {
          organisation_id,
          action: 'balance.top_up',
          subject: line.id,
          before: { balance: line.balance_after - line.amount },
          after: { balance: line.balance_after, amount: line.amount, reason: note },
        }),
      )
      return { balance: entry.balance_after, currency, entry, meta: requestMeta(request) }
    },
  )
}

/** A second click is not a second organisation: the one that the same Idempotency-Key has made, if it has. */
async function madeBefore(tx: Tx, request: FastifyRequest, organisation_id: string): Promise<string | undefined> {
  const idempotency = idempotencyOf(request)
  if (!idempotency) return undefined
  const { request_hash } = idempotency
  const known = await noteOnce(tx, INSTALLATION, { key: deedId(request), request_hash, answer: organisation_id })
  if (known && !known.request_hash.equals(request_hash)) {
    throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
  }
  return known?.answer
}

/** All faults at once: those found before, and whether the number is an amount. */
function amountOf(field: string, given: unknown, faults: Fault[]): bigint {
  const amount = typeof given === 'number' ? moneyFromNumber(given) : 0n
  if (amount === undefined) faults.push({ field, message: 'At most four decimals.', type: 'invalid' })
  refuseIfFaulty(faults)
  return amount ?? 0n
}

/** The same Idempotency-Key by the same person is the same record: its id is made of both. */
function deedId(request: FastifyRequest): string {
  const idempotency = idempotencyOf(request)
  if (!idempotency) return newId()
  const asked = `${visitorIn(request).user_id} ${idempotency.key}`
  const hex = createHash('sha256').update(asked).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
