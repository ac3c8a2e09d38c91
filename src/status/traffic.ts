import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import { listBalances } from '../carriers/http/store.ts'
import type { CarrierState } from '../carriers/schema.ts'
import type { Db } from '../db/connect.ts'
import { measureQueueDepths } from '../messaging/dispatch/queue-depth.ts'
import type { Hold, HoldReason } from '../messaging/read/schema.ts'
import { measureBacklogs } from '../queue/depth-store.ts'
import type { Finding } from './check.ts'
import { fill, fillCount } from '../values/fill.ts'
import { countFailingWebhooks } from './store.ts'
import { levelOf, THRESHOLDS } from './thresholds.ts'
import { countInWords, secondsInWords } from './units.ts'

export async function findCarriers({
  carrierStates,
}: {
  carrierStates: () => Promise<CarrierState[]>
}): Promise<Finding[]> {
  return (await carrierStates()).map(({ name, state, detail = '' }): Finding => {
    const values = { name, detail }
    switch (state) {
      case 'up':
        return { level: 'ok', summary: fill(detail === '' ? '{name} is up.' : '{name} is up: {detail}.', values) }
      case 'unknown':
        return { level: 'ok', summary: fill('{name} has not been used yet.', values) }
      case 'degraded':
        return {
          level: 'warning',
          summary: fill('{name} is degraded: {detail}.', values),
          advice: 'gangan carriers shows each bind with its reason.',
        }
      case 'down':
        return {
          level: 'critical',
          summary: fill('{name} is down: {detail}.', values),
          advice: 'gangan carriers shows the reason; check the credentials and the network, then call the carrier.',
        }
    }
  })
}

/** Our balances at HTTP vendors that are below `low_balance`. */
export async function findBalances({
  db,
  low_balances,
}: {
  db: Db
  low_balances: ReadonlyMap<string, number>
}): Promise<Finding[]> {
  if (low_balances.size === 0) return []
  return (await listBalances(db)).flatMap(({ carrier, balance, currency }): Finding[] => {
    const limit = low_balances.get(carrier)
    if (limit === undefined) return []
    const values = { carrier, balance: `${Number(balance)} ${currency ?? ''}`.trim(), limit }
    if (Number(balance) >= limit) {
      return [{ level: 'ok', summary: fill('The balance at {carrier} is {balance}.', values) }]
    }
    return [
      {
        level: 'warning',
        summary: fill('The balance at {carrier} is {balance}, below {limit}.', values),
        advice: 'Top up the account with the carrier: it rejects messages once it is empty.',
      },
    ]
  })
}

export async function findQueues({ db }: { db: Db }): Promise<Finding[]> {
  const depths = await measureQueueDepths(db)
  const old = depths.filter(({ oldest_s }) => levelOf(THRESHOLDS.queue_age, oldest_s) !== 'ok')
  if (old.length === 0) {
    if (depths.every(({ depth }) => depth === 0)) return [{ level: 'ok', summary: 'No jobs are waiting.' }]
    const waiting = depths.reduce((sum, { depth }) => sum + depth, 0)
    const oldest = secondsInWords(Math.max(0, ...depths.map(({ oldest_s }) => oldest_s)))
    return [
      {
        level: 'ok',
        summary: fillCount(
          waiting,
          '{n} job is waiting; it has been due for {oldest}.',
          '{n} jobs are waiting; the oldest has been due for {oldest}.',
          { oldest },
        ),
      },
    ]
  }
  return old.map(({ queue, depth, oldest_s }) => ({
    level: levelOf(THRESHOLDS.queue_age, oldest_s),
    summary: fillCount(
      depth,
      '{queue}: {n} job, due for {oldest}.',
      '{queue}: {n} jobs, the oldest due for {oldest}.',
      { queue, oldest: secondsInWords(oldest_s) },
    ),
    advice: 'Check that a process with workers is running, and see what holds messages.',
  }))
}

export async function findHolds({ readHolds }: { readHolds: () => Promise<Hold[]> }): Promise<Finding[]> {
  const holds = (await readHolds()).filter(({ reason }) => reason !== 'rate')
  if (holds.length === 0) return [{ level: 'ok', summary: 'No messages are held.' }]
  return holds.map(({ route, carrier, reason, detail, count, since }) => {
    const held_s = since === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(since)) / 1_000)
    const values = { route, carrier: carrier ?? '–', detail, held: secondsInWords(held_s) }
    const summary =
      since === undefined
        ? fillCount(
            count,
            '{n} message on {route} to {carrier} is waiting to be retried: {detail}.',
            '{n} messages on {route} to {carrier} are waiting to be retried: {detail}.',
            values,
          )
        : fillCount(
            count,
            '{n} message on {route} to {carrier} is held for {held}: {detail}.',
            '{n} messages on {route} to {carrier} are held for {held}: {detail}.',
            values,
          )
    const level = levelOf(THRESHOLDS.held_for, held_s) === 'critical' ? 'critical' : 'warning'
    return { level, summary, advice: ADVICE[reason] }
  })
}

const ADVICE: Record<HoldReason, string> = {
  no_route: 'Configure the route again, or cancel its messages.',
  not_served: 'Start a process with workers: gangan serve --worker.',
  not_bound: 'gangan carriers shows why the binds are down.',
  throttled: 'Lower rate_per_bind or rate_per_account to what the carrier allows.',
  draining: 'gangan carriers shows who is draining it and why. Resume it, or move the messages to another route.',
  paused: 'gangan carriers shows why the carrier is paused. Resume it when the reason is gone.',
  rate: 'Nothing, unless the rate of the route is lower than the carrier allows.',
  refused: 'gangan carriers pdus CARRIER shows the answers of the carrier.',
  waiting: 'Add capacity (window, binds), or wait: other messages are submitted first.',
}

/** Endpoints of customers that fail, and callbacks that wait for another attempt. */
export async function findCallbacks({ db }: { db: Db }): Promise<Finding> {
  const [{ failing, disabled }, backlogs] = await Promise.all([
    countFailingWebhooks(db),
    measureBacklogs(db, CALLBACK_QUEUE),
  ])
  const waiting = backlogs.reduce((sum, { postponed }) => sum + postponed, 0)
  const values = { failing, disabled, waiting: countInWords(waiting, 'callback') }
  const level = levelOf(THRESHOLDS.webhooks_failing, failing + disabled)
  if (level === 'ok') {
    return { level, summary: fill('No endpoint is failing; {waiting} to be retried.', values) }
  }
  return {
    level,
    summary: fill('Failing endpoints: {failing}, disabled: {disabled}. {waiting} to be retried.', values),
    advice: 'Inform the customers: the console (Webhooks, in their organisation) shows the responses of the endpoint.',
  }
}
