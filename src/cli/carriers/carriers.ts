import { listBalances } from '../../carriers/http/store.ts'
import type { BindWithPdus } from '../../carriers/schema.ts'
import { listCarriers } from '../../carriers/smpp/carrier/list.ts'
import { readConfig } from '../../config/config.ts'
import { readHolds } from '../../messaging/dispatch/holds.ts'
import { findPauses } from '../../messaging/pauses/pause.ts'
import type { Hold } from '../../messaging/read/schema.ts'
import { withDatabase } from '../database.ts'
import { form, valued, type Command } from '../terminal/command.ts'
import { notFound } from '../terminal/operator-fault.ts'
import { rows, table, type Columns, type Result } from '../terminal/result.ts'
import { check, replay, shownVendors } from './http.ts'
import { PAUSE_COLUMNS, pauseForms } from './pauses.ts'

const LIST =
  'show binds of SMPP carriers, balances and callback URLs at vendors, what is paused, and why messages are not sent'
const CHECK = {
  to: valued('NUMBER', 'send a message, and show how the answer is interpreted'),
  from: valued('SENDER', 'its sender'),
  text: valued('TEXT', 'its text'),
}

export const carriers: Command = [
  form('', LIST, {}, list),
  form('list', LIST, {}, list),
  ...pauseForms('carrier'),
  form(
    'check NAME',
    'test the credentials of a vendor (kind http)',
    CHECK,
    (values, name = '') => check(values, name),
    ['gangan carriers check termii --to +2348031234567'],
  ),
  form('replay NAME FILE', 'show how a recorded report of a vendor is interpreted', {}, (_, name = '', file = '') =>
    replay(name, file),
  ),
  form('pdus CARRIER [BIND]', 'show the last PDUs of a bind (1), without texts', {}, (_, name = '', bind) =>
    pdus(name, bind),
  ),
]

async function list(): Promise<Result> {
  const config = readConfig()
  const { shown, holds, balances, pauses } = await withDatabase(config, async (db) => ({
    shown: await listCarriers({ db }),
    holds: await readHolds({ db }, config.settings),
    balances: await listBalances(db),
    pauses: await findPauses({ db }),
  }))
  const binds = shown.flatMap(({ carrier, binds: own }) => own.map((one) => ({ carrier, ...one, pdus: undefined })))
  const { data, tables } = shownVendors(config, balances)
  const without = `No carrier has binds or a balance: ${config.settings.carriers.map(({ name, kind }) => `${name} (${kind})`).join(', ')}.\n`
  const first = binds.length > 0 ? [table(binds, BIND)] : tables.length === 0 ? [without] : []
  const paused = pauses.length > 0 ? [table(pauses, PAUSE_COLUMNS)] : []
  const last = holds.length > 0 ? [table(holds, HOLD)] : []
  return { data: { binds, ...data, pauses, holds }, text: [...first, ...tables, ...paused, ...last].join('\n') }
}

async function pdus(name: string, bind = '1'): Promise<Result> {
  const shown = await withDatabase(readConfig(), (db) => listCarriers({ db }))
  const found = shown.find(({ carrier }) => carrier === name)?.binds.find((one) => String(one.bind) === bind)
  if (!found) throw notFound(`There is no bind ${bind} of ${name}; gangan carriers lists what there is.`)
  return rows(found.pdus ?? [], {
    time: (one) => one.at,
    way: (one) => one.direction,
    command: (one) => one.command,
    status: (one) => one.command_status,
    number: (one) => one.sequence_number,
    more: ({
      at: _at,
      direction: _way,
      command: _command,
      command_status: _status,
      sequence_number: _number,
      ...rest
    }) =>
      Object.entries(rest)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(' '),
  })
}

const HOLD: Columns<Hold> = {
  route: (one) => one.route,
  carrier: (one) => one.carrier,
  held: (one) => one.count,
  why: (one) => one.reason,
  since: (one) => one.since,
  until: (one) => one.until,
  detail: (one) => one.detail,
}

const BIND: Columns<Omit<BindWithPdus, 'pdus'> & { carrier: string }> = {
  carrier: (one) => one.carrier,
  bind: (one) => one.bind,
  state: (one) => one.state,
  since: ({ figures }) => figures?.since,
  'in flight': ({ figures }) => figures?.inflight ?? 0,
  window: ({ figures }) => figures?.window,
  rate: ({ figures }) => figures?.rate?.toFixed(1),
  sent: ({ figures }) => figures?.submitted ?? 0,
  errors: ({ figures }) =>
    Object.entries(figures?.errors ?? {})
      .map(([status, count]) => `${status} ${count}`)
      .join(', '),
  reason: ({ figures }) => figures?.reason,
}
