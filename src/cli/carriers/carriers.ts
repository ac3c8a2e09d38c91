import { listBalances } from '../../carriers/http/store.ts'
import { makeCarrierStates } from '../../carriers/kinds.ts'
import type { BindWithPdus, CarrierState } from '../../carriers/schema.ts'
import { listCarriers } from '../../carriers/smpp/carrier/list.ts'
import { readConfig } from '../../config/config.ts'
import { readHolds } from '../../messaging/dispatch/holds.ts'
import { findPauses } from '../../messaging/pauses/pause.ts'
import type { Hold } from '../../messaging/read/schema.ts'
import { withConfigured } from '../configured.ts'
import { withDatabase } from '../database.ts'
import { form, valued, type Command } from '../terminal/command.ts'
import { notFound } from '../terminal/operator-fault.ts'
import { rows, table, type Columns, type Result } from '../terminal/result.ts'
import { check, replay, shownVendors } from './http.ts'
import { test } from './test.ts'
import { entryForms } from './entries.ts'
import { PAUSE_COLUMNS, pauseForms } from './pauses.ts'

const LIST =
  'show the state of every carrier, binds of SMPP carriers, balances and callback URLs at vendors, what is paused, and why messages are not sent'
const CHECK = {
  to: valued('NUMBER', 'send a message, and show how the answer is interpreted'),
  from: valued('SENDER', 'its sender'),
  text: valued('TEXT', 'its text'),
}

const TEST = {
  to: valued('NUMBER', 'the recipient (required)'),
  from: valued('SENDER', 'its sender (that of the configuration)'),
  text: valued('TEXT', 'its text'),
}

export const carriers: Command = [
  form('', LIST, {}, list),
  form('list', LIST, {}, list),
  ...entryForms('carrier'),
  ...pauseForms('carrier'),
  form(
    'check NAME',
    'test the credentials of a vendor (kind http)',
    CHECK,
    (values, name = '') => check(values, name),
    ['gangan carriers check termii --to +2348031234567'],
  ),
  form(
    'test NAME',
    'send a message through a carrier of the running service, beside all routes and pauses; the carrier may charge it',
    TEST,
    (values, name = '') => test(values, name),
    ['gangan carriers test mtn --to +2348031234567 --from Gangan'],
  ),
  form('replay NAME FILE', 'show how a recorded report of a vendor is interpreted', {}, (_, name = '', file = '') =>
    replay(name, file),
  ),
  form('pdus CARRIER [BIND]', 'show the last PDUs of a bind (1), without texts', {}, (_, name = '', bind) =>
    pdus(name, bind),
  ),
]

async function list(): Promise<Result> {
  const { config, states, shown, holds, balances, pauses } = await withConfigured(async (db, effective) => ({
    config: effective,
    states: await makeCarrierStates({ db, public_url: effective.public_url }, effective.settings.carriers)(),
    shown: await listCarriers({ db }),
    holds: await readHolds({ db }, effective.settings),
    balances: await listBalances(db),
    pauses: await findPauses({ db }),
  }))
  const binds = shown.flatMap(({ carrier, binds: own }) => own.map((one) => ({ carrier, ...one, pdus: undefined })))
  const { data, tables } = shownVendors(config, balances)
  const first = [table(states, STATE), ...(binds.length > 0 ? [table(binds, BIND)] : [])]
  const paused = pauses.length > 0 ? [table(pauses, PAUSE_COLUMNS)] : []
  const last = holds.length > 0 ? [table(holds, HOLD)] : []
  return {
    data: { carriers: states, binds, ...data, pauses, holds },
    text: [...first, ...tables, ...paused, ...last].join('\n'),
  }
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

const STATE: Columns<CarrierState> = {
  carrier: (one) => one.name,
  kind: (one) => one.kind,
  state: (one) => one.state,
  detail: (one) => one.detail,
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
