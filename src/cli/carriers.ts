import { parseArgs } from 'node:util'
import { listCarriers, type ShownBind } from '../carriers/smpp/list.ts'
import { readConfig } from '../config/config.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './operator-fault.ts'
import { table } from './table.ts'

/** The binds of SMPP carriers, or what passed on one of them last. */
export async function carriers(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [action = 'list', name, bind = '1'] = positionals
  const shown = await withDatabase(readConfig(), (db) => listCarriers({ db }))
  if (action === 'list' && name === undefined) {
    const rows = shown.flatMap(({ carrier, binds }) => binds.map((one) => bindLine(carrier, one)))
    process.stdout.write(table(BIND_COLUMNS, rows))
    return
  }
  if (action !== 'pdus' || name === undefined) {
    throw new OperatorFault('Say gangan carriers, or gangan carriers pdus CARRIER [BIND].')
  }
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

function bindLine(carrier: string, { bind, state, figures }: ShownBind): string[] {
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
