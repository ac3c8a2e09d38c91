import type { CarrierState } from '../../../carriers/schema.ts'
import { mayDo, type Area } from '../../../users/roles.ts'
import { forOperators, viewerOf, type Viewer } from '../../../users/viewer.ts'
import { cached } from '../../../values/concurrency/cached.ts'
import { present } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Visitor } from '../../route/visitor.ts'
import { listExpiringKeys, listFailingWebhooks, listFaultyImports, listOpenSenders } from './attention-store.ts'
import { MAX_ATTENTION, type Attention, type AttentionKind } from './schema.ts'

/** Items of one kind; the page that resolves them lists them all. */
const MOST_OF_A_KIND = 3
const KEY_EXPIRES_WITHIN_DAYS = 14
const REJECTED_WITHIN_DAYS = 14
const IMPORTED_WITHIN_DAYS = 3
const REMEMBERED_MS = 10_000

/** A user sees what their role may read. */
const AREA: Record<AttentionKind, Area> = {
  carrier: 'overview',
  balance: 'balance',
  webhook: 'callbacks',
  sender: 'sms',
  key: 'keys',
  import: 'lists',
}

type Current = {
  balance: number
  low_balance: number | undefined
  credit_limit: number
  carriers: readonly CarrierState[]
}

/** Finds what needs attention, the most urgent first. The part read from tables is cached for all users. */
export function makeFindAttention(deps: Pick<HttpDeps, 'db' | 'sandbox'>) {
  const stored = cached(REMEMBERED_MS, (organisation_id) => findStored(deps, organisation_id))
  return async (organisation_id: string, { role }: Pick<Visitor, 'role'>, current: Current): Promise<Attention[]> => {
    const viewer = viewerOf({ visitor: { role } })
    const found = [...carriersOf(current, viewer), ...balanceOf(current), ...(await stored(organisation_id))]
    return found.filter(({ kind }) => mayDo(role, AREA[kind], false)).slice(0, MAX_ATTENTION)
  }
}

/** A customer, who sees no names, sees one item per state. */
function carriersOf({ carriers }: Current, viewer: Viewer): Attention[] {
  const found = carriers
    .filter(({ state }) => state === 'down' || state === 'degraded')
    .sort((a, b) => b.state.localeCompare(a.state))
  return found
    .filter(({ state }, n) => viewer.is_operator || found.findIndex((one) => one.state === state) === n)
    .slice(0, MOST_OF_A_KIND)
    .map(({ name, state, detail }): Attention => {
      return { kind: 'carrier', state, ...forOperators(viewer, { name, ...present('detail', detail) }) }
    })
}

function balanceOf({ balance, low_balance, credit_limit }: Current): Attention[] {
  const left = balance + credit_limit
  if (left <= 0) return [{ kind: 'balance', state: 'empty' }]
  return low_balance !== undefined && left < low_balance ? [{ kind: 'balance', state: 'low' }] : []
}

async function findStored(
  { db, sandbox }: Pick<HttpDeps, 'db' | 'sandbox'>,
  organisation_id: string,
): Promise<Attention[]> {
  const limit = MOST_OF_A_KIND
  const [webhooks, senders, keys, imports] = await Promise.all([
    listFailingWebhooks(db, organisation_id, limit),
    // In the sandbox messages are sent from senders that are not approved, too.
    listOpenSenders(db, organisation_id, { within_days: REJECTED_WITHIN_DAYS, pending: !sandbox, limit }),
    listExpiringKeys(db, organisation_id, { within_days: KEY_EXPIRES_WITHIN_DAYS, limit }),
    listFaultyImports(db, organisation_id, { within_days: IMPORTED_WITHIN_DAYS, limit }),
  ])
  return [
    ...webhooks.map(({ url, enabled, disabled_reason, failing_since }): Attention => {
      const about = { ...present('detail', disabled_reason), ...present('at', failing_since) }
      return { kind: 'webhook', state: enabled ? 'failing' : 'disabled', name: url, ...about }
    }),
    ...keys.map(({ name, expires_datetime }): Attention => {
      return { kind: 'key', state: 'expiring', name, at: expires_datetime }
    }),
    ...senders.map(({ sender_id, state, reason, at }): Attention => {
      return { kind: 'sender', state, name: sender_id, ...present('detail', reason), at }
    }),
    ...imports.map(({ id, status, rejected, fault, created_datetime }): Attention => {
      const about = status === 'failed' ? present('detail', fault) : { count: rejected }
      return { kind: 'import', state: status === 'failed' ? 'failed' : 'partial', id, ...about, at: created_datetime }
    }),
  ]
}
