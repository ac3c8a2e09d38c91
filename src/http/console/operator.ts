import { Type } from '../../values/schema/type.ts'
import { findReview, settleReview } from '../../airtime/review.ts'
import { listCarriers } from '../../carriers/smpp/carrier/list.ts'
import { listNames } from '../../organisations/store.ts'
import { findAllGuarded } from '../../otp/admission/guard.ts'
import { findPauses, pause, resume } from '../../messaging/pauses/pause.ts'
import { PauseBody, type PauseKind } from '../../messaging/pauses/schema.ts'
import { measureQueueDepths } from '../../messaging/dispatch/queue-depth.ts'
import { recordAudit } from '../../users/audit.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { moneyToNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { actorOf } from '../route/visitor.ts'
import {
  BindAnswer,
  BindsAnswer,
  CarriersAnswer,
  GuardAnswer,
  PauseAnswer,
  ReviewAnswer,
  SettledAnswer,
  StatusAnswer,
} from './operator/schema.ts'

const SettleBody = Type.Object({
  status: Type.Unsafe<'success' | 'failed'>({ type: 'string', enum: ['success', 'failed'] }),
})

/** The pages of several operators share one set of checks. */
const STATUS_CACHED_MS = 5_000

/** What an operator sees of all organisations. */
export function operatorRoutes(deps: HttpDeps): Route[] {
  const readStatus = cached(STATUS_CACHED_MS, () => deps.readStatus())
  return [
    route({
      method: 'GET',
      path: '/console/api/status',
      who: 'operator',
      summary: 'Read the state of the installation',
      answer: StatusAnswer,
      compress: true,
      run: () => readStatus(''),
    }),

    route({
      method: 'GET',
      path: '/console/api/airtime/review',
      who: 'operator',
      summary: 'List purchases in review',
      answer: ReviewAnswer,
      compress: true,
      run: async () => {
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
        return { purchases }
      },
    }),

    route({
      method: 'POST',
      path: '/console/api/airtime/review/:id',
      who: 'operator',
      summary: 'Settle a purchase in review',
      answer: SettledAnswer,
      params: IdParams,
      body: SettleBody,
      run: async (request) => {
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
        if (!settled) throw new Refusal('not_found', 'This purchase is not waiting for a decision.')
        return { id: settled.id, status: settled.status, refunded: settled.refunded }
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/otp-guard',
      who: 'operator',
      summary: 'List guarded prefixes of all organisations',
      answer: GuardAnswer,
      compress: true,
      run: async () => {
        const rows = await findAllGuarded(deps)
        const names = await namesOf(deps, rows)
        const prefixes = rows.map(({ updated_datetime, ...row }) => ({
          ...row,
          organisation_name: names.get(row.organisation_id) ?? '',
          ...present('updated_datetime', updated_datetime),
        }))
        return { prefixes }
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/carriers',
      who: 'operator',
      summary: 'Read the state of carriers, routes and queues',
      answer: CarriersAnswer,
      compress: true,
      run: async () => ({
        carriers: await deps.carrierStates(),
        ...deps.installation,
        queues: await measureQueueDepths(deps.db),
        holds: await deps.readHolds(),
        pauses: await findPauses(deps),
      }),
    }),

    ...pauseRoutes(deps, 'carrier'),
    ...pauseRoutes(deps, 'route'),

    route({
      method: 'GET',
      path: '/console/api/carriers/binds',
      who: 'operator',
      summary: 'List the SMPP binds',
      answer: BindsAnswer,
      compress: true,
      run: async () => ({
        carriers: (await listCarriers(deps)).map(({ binds, ...carrier }) => ({
          ...carrier,
          binds: binds.map(({ pdus: _shown_one_by_one, ...bind }) => bind),
        })),
      }),
    }),

    route({
      method: 'GET',
      path: '/console/api/carriers/:carrier/binds/:bind',
      who: 'operator',
      summary: 'Read a bind with its last PDUs',
      answer: BindAnswer,
      params: Type.Object({ carrier: Type.String(), bind: Type.String() }),
      compress: true,
      run: async ({ params }) => {
        const { carrier, bind } = params
        const shown = (await listCarriers(deps)).find((one) => one.carrier === carrier)
        const found = shown?.binds.find((one) => String(one.bind) === bind)
        if (!found) throw new Refusal('not_found', 'There is no such bind.')
        return { carrier, ...found }
      },
    }),
  ]
}

const NameParams = Type.Object({ name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }) })

function pauseRoutes(deps: HttpDeps, kind: PauseKind): Route[] {
  const path = `/console/api/${kind}s/:name/pause` as const
  return [
    route({
      method: 'POST',
      path,
      who: 'operator',
      summary: `Pause or drain a ${kind}`,
      answer: PauseAnswer,
      params: NameParams,
      body: PauseBody,
      run: async (request) => {
        const { name } = request.params
        if (!(await isConfigured(deps, kind, name))) throw new Refusal('not_found', `There is no ${kind} ${name}.`)
        return { pause: await pause(deps, actorOf(request), { kind, name }, request.body) }
      },
    }),

    route({
      method: 'DELETE',
      path,
      who: 'operator',
      summary: `Resume a ${kind}`,
      params: NameParams,
      run: async (request) => resume(deps, actorOf(request), { kind, name: request.params.name }),
    }),
  ]
}

async function isConfigured(deps: HttpDeps, kind: PauseKind, name: string): Promise<boolean> {
  const known = kind === 'carrier' ? await deps.carrierStates() : deps.installation.routes
  return known.some((one) => one.name === name)
}

async function namesOf(
  { db }: HttpDeps,
  rows: readonly { organisation_id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ organisation_id }) => organisation_id))]
  return new Map((await listNames(db, ids)).map(({ id, name }) => [id, name]))
}
