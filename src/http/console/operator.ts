import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { findReview, settleReview } from '../../airtime/review.ts'
import { listCarriers } from '../../carriers/smpp/carrier/list.ts'
import { listNames } from '../../organisations/store.ts'
import { findAllGuarded } from '../../otp/guard.ts'
import { measureQueues } from '../../queue/store.ts'
import { recordAudit } from '../../users/audit.ts'
import { moneyToNumber } from '../../values/money.ts'
import { present } from '../../values/present.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { refuseMisshapen } from '../route/faults.ts'
import { requestMeta } from '../route/meta.ts'
import { consoleRoute } from './console-route.ts'
import type { ConsoleAnswers } from './schema.ts'
import { actorOf } from './visitor.ts'

const SettleBody = Type.Object({
  status: Type.Unsafe<'success' | 'failed'>({ type: 'string', enum: ['success', 'failed'] }),
})

/** What an operator sees of all organisations. */
export function operatorRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/console/api/airtime/review',
    consoleRoute(deps, { for: 'operator', compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/airtime/review']> => {
      const rows = await findReview(deps)
      const names = await namesOf(deps, rows)
      const purchases = rows.map((row) => ({
        organisation_id: row.organisation_id,
        organisation_name: names.get(row.organisation_id) ?? '',
        id: row.id,
        network: row.network,
        recipient: row.recipient,
        amount: moneyToNumber(row.amount),
        ...present('external_ref', row.external_ref),
        vendor: row.vendor,
        reference: row.reference,
        ...present('vendor_purchase_id', row.vendor_purchase_id),
        ...present('code', row.code),
        ...present('vendor_description', row.vendor_description),
        created_datetime: row.created_datetime,
        review_datetime: row.review_datetime,
      }))
      return { purchases, meta: requestMeta(request) }
    },
  )

  app.post<{ Params: { id: string }; Body: { status: 'success' | 'failed' } }>(
    '/console/api/airtime/review/:id',
    consoleRoute(deps, { for: 'operator', body: SettleBody }),
    async (request): Promise<ConsoleAnswers['POST /console/api/airtime/review/{id}']> => {
      refuseMisshapen(request)
      const { status } = request.body
      const settled = await settleReview(deps, request.params.id, status, (tx, { organisation_id, id, refunded }) =>
        recordAudit(tx, actorOf(request), {
          organisation_id,
          action: 'airtime.settle',
          subject: id,
          before: { status: 'sent' },
          after: { status, refunded },
        }),
      )
      if (!settled) throw new Refusal('not_found', 'This purchase does not wait for a decision.')
      return { id: settled.id, status: settled.status, refunded: settled.refunded, meta: requestMeta(request) }
    },
  )

  app.get(
    '/console/api/otp-guard',
    consoleRoute(deps, { for: 'operator', compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/otp-guard']> => {
      const rows = await findAllGuarded(deps)
      const names = await namesOf(deps, rows)
      const prefixes = rows.map(({ updated_datetime, ...row }) => ({
        ...row,
        organisation_name: names.get(row.organisation_id) ?? '',
        ...present('updated_datetime', updated_datetime),
      }))
      return { prefixes, meta: requestMeta(request) }
    },
  )

  app.get(
    '/console/api/carriers',
    consoleRoute(deps, { for: 'operator', compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/carriers']> => ({
      carriers: await deps.carrierStates(),
      ...deps.installation,
      queues: await measureQueues(deps.db),
      holds: await deps.readHolds(),
      meta: requestMeta(request),
    }),
  )

  app.get(
    '/console/api/carriers/binds',
    consoleRoute(deps, { for: 'operator', compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/carriers/binds']> => ({
      carriers: (await listCarriers(deps)).map(({ binds, ...carrier }) => ({
        ...carrier,
        binds: binds.map(({ pdus: _shown_one_by_one, ...bind }) => bind),
      })),
      meta: requestMeta(request),
    }),
  )

  app.get<{ Params: { carrier: string; bind: string } }>(
    '/console/api/carriers/:carrier/binds/:bind',
    consoleRoute(deps, { for: 'operator', compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/carriers/{carrier}/binds/{bind}']> => {
      const { carrier, bind } = request.params
      const shown = (await listCarriers(deps)).find((one) => one.carrier === carrier)
      const found = shown?.binds.find((one) => String(one.bind) === bind)
      if (!found) throw new Refusal('not_found', 'There is no such bind.')
      return { carrier, ...found, meta: requestMeta(request) }
    },
  )
}

async function namesOf(
  { db }: HttpDeps,
  rows: readonly { organisation_id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ organisation_id }) => organisation_id))]
  return new Map((await listNames(db, ids)).map(({ id, name }) => [id, name]))
}
