import { startCounters } from '../../analytics/start-counters.ts'
import { findCampaignsOf } from '../../campaigns/messages-store.ts'
import { readConfig } from '../../config/config.ts'
import { routeQueues } from '../../messaging/dispatch/queues.ts'
import { cancelWaiting } from '../../messaging/operate/cancel-waiting.ts'
import { listDeliveriesBy } from '../../messaging/operate/list.ts'
import { moveWaiting } from '../../messaging/operate/move.ts'
import { requeueMessage } from '../../messaging/operate/requeue.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../messaging/schema.ts'
import { carriersOf } from '../../messaging/settings.ts'
import { makeMeters } from '../../observe/meters.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { moneyToText } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { readMoment } from '../../values/time/moment.ts'
import { withConfigured } from '../configured.ts'
import { withDatabase } from '../database.ts'
import { ACCOUNT, withAccount, type Account } from '../organisations/which-organisation.ts'
import { choice, flag, form, integer, valued, type Command } from '../terminal/command.ts'
import { OperatorFault, usageFault } from '../terminal/operator-fault.ts'
import { done, table, type Result } from '../terminal/result.ts'
import { numberOf, ownerOf } from './find.ts'
import { showMessage } from './show.ts'

const RECIPIENT = { recipient: valued('NUMBER', 'only this recipient') }
const FILTERS = {
  ...ACCOUNT,
  state: choice(DELIVERY_STATUSES, 'only deliveries in this state'),
  route: valued('NAME', 'only over this route'),
  carrier: valued('NAME', 'only those that this carrier has or had'),
  number: valued('NUMBER', 'only to this number'),
  since: valued('TIME', 'accepted at or after, such as 2026-12-24T18:00:00+01:00'),
  until: valued('TIME', 'accepted at or before'),
  limit: integer(1, 1_000, 'so many (50)'),
  cursor: valued('CURSOR', 'continue after the list that printed it'),
}
const MOVE = {
  route: valued('FROM', 'the route that they wait for; it need not be configured any more (required)'),
  to: valued('ROUTE', 'a configured route (required)'),
  scheduled: flag('also messages that are scheduled for later'),
}

/** What an operator does with messages of any organisation. */
export const messages: Command = [
  form(
    'show ID',
    'show a message: its price rule, route and carriers, why it is not sent, events, what carriers call it, callbacks',
    { ...RECIPIENT, limit: integer(1, 100, 'so many recipients (20)') },
    (given, id = '') => showMessage(given, id),
    ['gangan messages show 0197c1f2-3f5e-7aa4-9a51-2f8d7c6b5a40'],
  ),
  form('list', 'list deliveries of an organisation, newest first', FILTERS, list, [
    'gangan messages list --state queued --route nigeria',
  ]),
  form(
    'requeue ID',
    'make the next attempt due now; refused for what a carrier has or may have',
    RECIPIENT,
    (given, id = '') => requeue(given, id),
  ),
  form('cancel ID', 'cancel and refund the deliveries that wait; what is in flight is sent', {}, (_, id = '') =>
    cancel(id),
  ),
  form(
    'move',
    'move what waits for a route to another one, at the price that was charged; repeat it to continue',
    MOVE,
    move,
    ['gangan messages move --route nigeria --to nigeria-2'],
  ),
]

const LISTED = 50
const QUIET_LOG = { info() {}, warn() {}, error() {} }

type Filters = Account & {
  state?: string
  route?: string
  carrier?: string
  number?: string
  since?: string
  until?: string
  limit?: string
  cursor?: string
}

async function list({
  state,
  route,
  carrier,
  number,
  since,
  until,
  limit,
  cursor,
  ...account
}: Filters): Promise<Result> {
  const config = readConfig()
  const wanted = {
    status: DELIVERY_STATUSES.find((one): one is DeliveryStatus => one === state),
    route,
    carrier,
    recipient: number === undefined ? undefined : numberOf(number, config),
    since_ms: momentOf('since', since),
    until_ms: momentOf('until', until),
    cursor,
    limit: Number(limit ?? LISTED),
  }
  const found = await withAccount(
    account,
    (db, organisation_id) => listDeliveriesBy({ db }, organisation_id, wanted),
    config,
  )
  const text = table(found.deliveries, {
    accepted: (one) => one.created_datetime,
    message: (one) => one.message_id,
    recipient: (one) => one.recipient,
    state: (one) => one.status,
    route: (one) => one.route,
    carrier: (one) => one.carrier,
    reason: (one) => [one.code, one.description].filter(Boolean).join(' '),
  })
  return {
    data: found,
    text,
    ...present('note', found.cursor && `There may be more: --cursor ${found.cursor}`),
  }
}

async function requeue({ recipient }: { recipient?: string }, id: string): Promise<Result> {
  const config = readConfig()
  const to = recipient === undefined ? undefined : numberOf(recipient, config)
  const { recipients } = await withDatabase(config, async (db) =>
    requeueMessage({ db }, COMMAND_LINE, await ownerOf(db, id), id, to),
  )
  return done(`Requeued ${recipients.length} deliveries.`, { id, recipients })
}

async function cancel(id: string): Promise<Result> {
  return withConfigured(async (db, { settings }) => {
    const route_queues = settings.routes.flatMap((route) => routeQueues(route.name, carriersOf(route)))
    const organisation_id = await ownerOf(db, id)
    if ((await findCampaignsOf(db, organisation_id, [id])).size > 0) {
      throw new OperatorFault('The message is part of a campaign: cancel the campaign.')
    }
    const meters = makeMeters()
    const counters = startCounters({ db, work_db: db, log: QUIET_LOG, meters })
    try {
      const { canceled, refunded } = await cancelWaiting(
        { db, meters, route_queues },
        COMMAND_LINE,
        organisation_id,
        id,
      )
      const money = refunded > 0n ? `, ${moneyToText(refunded)} refunded` : ''
      return done(`Canceled ${canceled} deliveries${money}.`, { id, canceled, refunded })
    } finally {
      await counters.stop()
    }
  })
}

async function move({ route, to, scheduled }: { route?: string; to?: string; scheduled?: boolean }): Promise<Result> {
  if (route === undefined || to === undefined) throw usageFault('--route and --to are required.')
  const moved = await withConfigured((db, { settings }) =>
    moveWaiting({ db, routes: settings.routes }, COMMAND_LINE, {
      from: route,
      to,
      with_scheduled: scheduled === true,
    }),
  )
  const { in_flight, possibly_sent } = moved
  const left = in_flight + possibly_sent
  const rest =
    left === 0 ? '' : ` ${left} stay: ${in_flight} in flight, ${possibly_sent} that a carrier may have already.`
  return done(`Moved ${moved.waiting + moved.retries + moved.scheduled} deliveries from ${route} to ${to}.${rest}`, {
    from: route,
    to,
    ...moved,
  })
}

function momentOf(option: string, given: string | undefined): number | undefined {
  const at = given === undefined ? undefined : readMoment(given)
  if (given !== undefined && at === undefined) {
    throw usageFault(`--${option} takes a date-time with its offset, such as 2026-12-24T18:00:00+01:00.`)
  }
  return at
}
