import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Type } from '../../values/schema/type.ts'
import { openAccount, topUpOnce } from '../../billing/balance.ts'
import { creditOf, limitCredit } from '../../billing/credit.ts'
import { TopUpBody } from '../../billing/schema.ts'
import { newSecret } from '../../callbacks/signing/signature.ts'
import type { Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { foundOrganisation } from '../../organisations/create.ts'
import { noteOnce } from '../../organisations/idempotency-store.ts'
import { findOrganisations, readOrganisation, requireOrganisation } from '../../organisations/read.ts'
import { LimitsBody, OrganisationBody, SuspensionBody } from '../../organisations/schema.ts'
import { findOrganisation } from '../../organisations/store.ts'
import { limitOrganisation } from '../../organisations/suspend.ts'
import { suspendOrganisation } from '../../messaging/operate/hold.ts'
import { countAccepted } from '../../observe/activity-store.ts'
import { assignPrices } from '../../prices/manage.ts'
import { AssignmentBody } from '../../prices/schema.ts'
import { assignedLists } from '../../prices/read.ts'
import { registerFirstSender } from '../../senders/decide.ts'
import { INSTALLATION, recordAudit } from '../../users/audit.ts'
import { isId, newId } from '../../values/id.ts'
import { moneyFromNumber } from '../../values/money.ts'
import { PageQuery } from '../../values/page.ts'
import { isCountry } from '../../values/phone/phone.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { actorOf, visitorIn } from '../route/visitor.ts'
import { OrganisationAnswer, Organisations, ToppedUp } from './people/schema.ts'

const DAY_S = 24 * 3_600

const ListQuery = Type.Object({ ...PageQuery.properties, search: Type.Optional(Type.String({ maxLength: 200 })) })

export function organisationRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/organisations',
      who: 'visitor',
      summary: 'List organisations',
      answer: Organisations,
      query: ListQuery,
      compress: true,
      run: async ({ visitor, query }) => {
        if (visitor.organisation_id === null)
          return findOrganisations(deps, query, {
            countAccepted: (ids) => countAccepted(deps.db, ids, DAY_S),
            findPriceLists: (ids) => assignedLists(deps, ids),
          })
        const own = await readOrganisation(deps, visitor.organisation_id)
        return { organisations: own ? [own] : [] }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/organisations',
      who: 'operator',
      summary: 'Create an organisation',
      answer: OrganisationAnswer,
      body: OrganisationBody,
      idempotent: true,
      adds_faults: true,
      run: async (request) => {
        const { body, shape_faults: faults } = request
        const { name = '', default_country = deps.country, default_sender_id = null, credit = 0 } = body
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
    }),

    route({
      method: 'POST',
      path: '/console/api/organisations/:id/top-ups',
      who: 'operator',
      summary: 'Add to a balance',
      answer: ToppedUp,
      params: IdParams,
      body: TopUpBody,
      idempotent: true,
      adds_faults: true,
      run: async (request) => {
        const { params, body, shape_faults } = request
        const amount = amountOf('amount', body.amount, shape_faults)
        if (amount === 0n) refuseIfFaulty([{ field: 'amount', message: 'Nothing to add.', type: 'invalid' }])
        const organisation = isId(params.id) ? await findOrganisation(deps.db, params.id) : undefined
        if (!organisation) throw new Refusal('not_found', 'There is no such organisation.')
        const { id: organisation_id, currency } = organisation
        const note = body.reason ?? ''
        const record = { amount, note, subject_id: onceId(request) }
        const entry = await topUpOnce(deps, organisation_id, record, (tx, line) =>
          recordAudit(tx, actorOf(request), {
            organisation_id,
            action: 'balance.top_up',
            subject: line.id,
            before: { balance: line.balance_after - line.amount },
            after: { balance: line.balance_after, amount: line.amount, reason: note },
          }),
        )
        return { balance: entry.balance_after, currency, entry }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/organisations/:id/limits',
      who: 'operator',
      summary: 'Limit requests, messages and credit of an organisation',
      answer: OrganisationAnswer,
      params: IdParams,
      body: LimitsBody,
      run: async (request) => {
        const { params, body } = request
        const { requests_per_s, messages_per_s, credit_limit } = body
        const credit = credit_limit === undefined ? undefined : amountOf('credit_limit', credit_limit, [])
        const found = await transaction(deps.db, async (tx) => {
          const done = isId(params.id) ? await limitOrganisation(tx, params.id, body) : undefined
          if (!done) throw new Refusal('not_found', 'There is no such organisation.')
          const credit_before = credit === undefined ? undefined : await limitCredit(tx, params.id, credit)
          await recordAudit(tx, actorOf(request), {
            organisation_id: params.id,
            action: 'organisation.limit',
            subject: params.id,
            before: { ...done.before, ...creditOf(credit_before) },
            after: { requests_per_s, messages_per_s, ...creditOf(credit) },
          })
          return done
        })
        for (const id of found.ids) deps.notifyChange(id)
        return { organisation: await requireOrganisation(deps, params.id) }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/organisations/:id/price-list',
      who: 'operator',
      summary: 'Assign a price list to an organisation',
      answer: OrganisationAnswer,
      params: IdParams,
      body: AssignmentBody,
      run: async (request) => {
        const { params, body } = request
        const organisation = isId(params.id) ? await readOrganisation(deps, params.id) : undefined
        if (!organisation) throw new Refusal('not_found', 'There is no such organisation.')
        await assignPrices(deps, actorOf(request), organisation.id, body.price_list)
        for (const id of [organisation.id, organisation.test_id]) deps.notifyChange(id)
        return { organisation }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/organisations/:id/suspension',
      who: 'operator',
      summary: 'Suspend or reactivate an organisation',
      answer: OrganisationAnswer,
      params: IdParams,
      body: SuspensionBody,
      run: async (request) => {
        const { params, body } = request
        const found = await transaction(deps.db, async (tx) => {
          const done = isId(params.id) ? await suspendOrganisation(tx, params.id, body.suspended) : undefined
          if (!done) throw new Refusal('not_found', 'There is no such organisation.')
          if ((done.before !== null) !== body.suspended) {
            await recordAudit(tx, actorOf(request), {
              organisation_id: params.id,
              action: body.suspended ? 'organisation.suspend' : 'organisation.resume',
              subject: params.id,
              before: { suspended: done.before !== null },
              after: { suspended: body.suspended, reason: body.reason },
            })
          }
          return done
        })
        for (const id of found.ids) deps.notifyChange(id)
        return { organisation: await requireOrganisation(deps, params.id) }
      },
    }),
  ]
}

/** The organisation already created under this Idempotency-Key, if any. */
async function madeBefore(tx: Tx, request: FastifyRequest, organisation_id: string): Promise<string | undefined> {
  const { idempotency } = request
  if (!idempotency) return undefined
  const { request_hash } = idempotency
  const known = await noteOnce(tx, INSTALLATION, { key: onceId(request), request_hash, answer: organisation_id })
  if (known && !known.request_hash.equals(request_hash)) {
    throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
  }
  return known?.answer
}

/** Parses an amount; throws with all errors, including those found before. */
function amountOf(field: string, given: unknown, faults: Fault[]): bigint {
  const amount = typeof given === 'number' ? moneyFromNumber(given) : 0n
  if (amount === undefined) faults.push({ field, message: 'At most four decimals.', type: 'invalid' })
  refuseIfFaulty(faults)
  return amount ?? 0n
}

/** An id derived of the user and the Idempotency-Key, so that a retry inserts the same record. */
function onceId(request: FastifyRequest): string {
  const { idempotency } = request
  if (!idempotency) return newId()
  const asked = `${visitorIn(request).user_id} ${idempotency.key}`
  const hex = createHash('sha256').update(asked).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
