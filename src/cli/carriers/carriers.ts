import { listBalances } from '../../carriers/http/store.ts'
import type { BindWithPdus } from '../../carriers/schema.ts'
import { listCarriers } from '../../carriers/smpp/carrier/list.ts'
import { readConfig } from '../../config/config.ts'
import { readHolds } from '../../messaging/dispatch/holds.ts'
import type { Hold } from '../../messaging/read/schema.ts'
import { check, httpTables, replay } from './http.ts'
import { form, type Command } from '../terminal/command.ts'
import { withDatabase } from '../database.ts'
import { OperatorFault } from '../terminal/operator-fault.ts'
import { table } from '../terminal/table.ts'

/** The binds of SMPP carriers, vendors over HTTP and what keeps messages from leaving; what passed on one bind last. */
export const carriers: Command = [
  form('', {}, list),
  form('list', {}, list),
  form('check NAME', { to: 'text', from: 'text', text: 'text' }, (values, name = '') => check(values, name)),
  form('replay NAME FILE', {}, (_, name = '', file = '') => replay(name, file)),
  form('pdus CARRIER [BIND]', {}, (_, name = '', bind) => pdus(name, bind)),
]

async function list(): Promise<void> {
  const config = readConfig()
  const { shown, holds, balances } = await withDatabase(config, async (db) => ({
    shown: await listCarriers({ db }),
    holds: await readHolds({ db }, config.settings),
    balances: await listBalances(db),
  }))
  const rows = shown.flatMap(({ carrier, binds }) => binds.map((one) => bindLine(carrier, one)))
  const tables = [...(rows.length > 0 ? [table(BIND_COLUMNS, rows)] : []), ...httpTables(config, balances)]
  process.stdout.write(tables.length === 0 ? table(BIND_COLUMNS, []) : tables.join('\n'))
  if (holds.length > 0) process.stdout.write(`\n${table(HOLD_COLUMNS, holds.map(holdLine))}`)
}

async function pdus(name: string, bind = '1'): Promise<void> {
  const shown = await withDatabase(readConfig(), (db) => listCarriers({ db }))
  const found = shown.find(({ carrier }) => carrier === name)?.binds.find((one) => String(one.bind) === bind)
  if (!found) throw new OperatorFault(`There is no bind ${bind} of ${name}; gangan carriers lists what there is.`)
  const rows = (found.pdus ?? []).map(({ at, direction, command, command_status, sequence_number, ...rest }) => [
    at,
    direction,
    command,
    command_status,
    String(sequence_number),
    Object.entries(rest)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(' '),
  ])
  process.stdout.write(table(['time', 'way', 'command', 'status', 'number', 'more'], rows))
}

const BIND_COLUMNS = ['carrier', 'bind', 'state', 'since', 'in flight', 'window', 'rate', 'sent', 'errors', 'reason']

const HOLD_COLUMNS = ['route', 'carrier', 'held', 'why', 'since', 'until', 'detail']

function holdLine({ route, carrier = '', count, reason, since = '', until = '', detail }: Hold): string[] {
  return [route, carrier, String(count), reason, since, until, detail]
}

function bindLine(carrier: string, { bind, state, figures }: BindWithPdus): string[] {
  const errors = Object.entries(figures?.errors ?? {}).map(([status, count]) => `${status} ${count}`)
  return [
    carrier,
    String(bind),
    state,
    figures?.since ?? '',
    String(figures?.inflight ?? 0),
    String(figures?.window ?? ''),
    figures?.rate === null || figures === null ? '' : figures.rate.toFixed(1),
    String(figures?.submitted ?? 0),
    errors.join(', '),
    figures?.reason ?? '',
  ]
}
