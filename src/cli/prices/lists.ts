import { readConfig } from '../../config/config.ts'
import { undoImport } from '../../prices/change.ts'
import { createList, removeList } from '../../prices/manage.ts'
import { exportPrices, findChanges, findHistory, findRules } from '../../prices/read.ts'
import type { ListKind, PriceRule } from '../../prices/schema.ts'
import { findTargets, setRule } from '../../prices/set.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { moneyFromText, moneyToNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { withDatabase } from '../database.ts'
import { choice, form, integer, plainForm, valued, type Command } from '../terminal/command.ts'
import { usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { bodyOf, change, settingDeps, type Target } from './change.ts'
import { IMPORT, importFile } from './import.ts'

const TARGET = {
  channel: choice(['sms', 'whatsapp'], 'the channel (sms)'),
  class: choice(['transactional', 'promotional'], 'only messages of this class'),
  prefix: valued('DIGITS', 'numbers that begin so, with the country code; several: 234803,234806'),
  country: valued('COUNTRY', 'numbers of this country, such as NG or Nigeria'),
  operator: valued('NAME', 'numbers of this operator, such as MTN; ported numbers count'),
  network: valued('MCC-MNC', 'numbers of this network, such as 621-30: its country and operator'),
}
const SHOW = {
  search: valued(
    'TEXT',
    'only rules whose prefix or network begins so, of this country, or whose operator contains it',
  ),
  limit: integer(1, 1_000, 'so many (100)'),
  cursor: valued('CURSOR', 'continue after the list that printed it'),
}
const FROM = valued('TIME', 'from when it applies, such as 2026-12-01T00:00:00+01:00 (now)')
const CREATE = { 'copy-of': valued('LIST', 'begin with the rules of this list') }

/** The forms that price lists and cost lists share. `name`: of a list in the examples. */
export function listForms(command: 'prices' | 'costs', kind: ListKind, name: string): Command {
  return [
    form(`show LIST`, `list the rules of a ${kind} list that apply now or will`, SHOW, (given, list = '') =>
      show(given, list),
    ),
    form('create LIST', `create a ${kind} list`, CREATE, (given, list = '') => create(kind, list, given['copy-of']), [
      `gangan ${command} create ${name}`,
      `gangan ${command} create ${name}-2027 --copy-of ${name}`,
    ]),
    form('delete LIST', `delete a ${kind} list that is not in use`, {}, (_, list = '') => remove(kind, list)),
    form(
      'set LIST',
      `set a ${kind}, or end it`,
      { ...TARGET, price: valued('AMOUNT', 'per page; none: the list has none of its own for it'), from: FROM },
      (given, list = '') => set(list, given),
      [
        `gangan ${command} set ${name} --country NG --price 3.50`,
        `gangan ${command} set ${name} --network 621-30 --price 3.25 --from 2026-12-01T00:00:00+01:00`,
        `gangan ${command} set ${name} --prefix 234803 --price none`,
      ],
    ),
    form(
      'import FILE',
      `compare a rate sheet (CSV) with a ${kind} list, and import it as a whole or not at all`,
      IMPORT,
      (given, file = '') => importFile(file, given),
      [
        `gangan ${command} import rates.csv --list ${name} --dry-run`,
        `gangan ${command} import rates.csv --list ${name} --columns 'price=New rate' --replace`,
      ],
    ),
    plainForm(
      'export LIST',
      `print a ${kind} list as CSV, to import it again`,
      {},
      (_, list = '') => exportList(list),
      [`gangan ${command} export ${name} > ${name}.csv`],
    ),
    form(
      'history LIST',
      `what changed a ${kind} list; with a target, all prices that it had`,
      TARGET,
      (given, list = '') => history(list, given),
      [`gangan ${command} history ${name} --country NG --operator MTN`],
    ),
    form('undo LIST', 'undo the last import: its rules end, those that it replaced are back', {}, (_, list = '') =>
      undo(list),
    ),
  ]
}

async function show(
  { search, limit, cursor }: { search?: string; limit?: string; cursor?: string },
  list: string,
): Promise<Result> {
  const config = readConfig()
  const query = { ...present('search', search), ...present('query_id', cursor), limit: Number(limit ?? 100) }
  const { rules, pagination } = await withDatabase(config, (db) =>
    findRules({ db }, config.settings.prices, list, query),
  )
  return {
    ...rows(rules, RULE_COLUMNS),
    ...present('note', pagination.next_page === 'True' ? `There are more: --cursor ${pagination.query_id}` : undefined),
  }
}

const RULE_COLUMNS = {
  channel: (one: PriceRule) => one.channel,
  class: (one: PriceRule) => one.route_class,
  prefix: (one: PriceRule) => one.prefix,
  country: (one: PriceRule) => one.country,
  operator: (one: PriceRule) => one.operator,
  network: (one: PriceRule) => one.mcc_mnc,
  price: (one: PriceRule) => one.price ?? 'none',
  from: (one: PriceRule) => one.valid_from,
  state: (one: PriceRule) => (one.scheduled ? 'scheduled' : 'applies'),
}

async function create(kind: ListKind, list: string, copy_of: string | undefined): Promise<Result> {
  await change((db) => createList({ db }, COMMAND_LINE, { name: list, kind, copy_of }))
  return done(`The ${kind} list ${list} is created.`, { list })
}

async function remove(kind: ListKind, list: string): Promise<Result> {
  await change((db) => removeList({ db }, COMMAND_LINE, list))
  return done(`The ${kind} list ${list} is deleted.`, { list })
}

async function set(
  list: string,
  { price, from, ...target }: Target & { price?: string; from?: string },
): Promise<Result> {
  if (price === undefined) throw usageFault('--price is required: an amount, or none.')
  const amount = price === 'none' ? null : moneyFromText(price.replace(',', '.'))
  if (amount === undefined) throw usageFault(`${price} is not an amount with at most four decimals.`)
  const body = {
    ...bodyOf(target),
    price: amount === null ? null : moneyToNumber(amount),
    ...present('valid_from', from),
  }
  const outcome = await change((db, config) => setRule(settingDeps(db, config), COMMAND_LINE, list, body))
  const text = outcome.changed
    ? `${list} is changed, in every process within two seconds.`
    : `${list} has this price already.`
  return done(text, { list, ...outcome })
}

async function exportList(list: string): Promise<void> {
  const config = readConfig()
  await withDatabase(config, async (db) => {
    for await (const text of exportPrices({ db }, config.settings.prices, list)) process.stdout.write(text)
  })
}

async function history(list: string, target: Target): Promise<Result> {
  if (Object.keys(target).length === 0) {
    return rows(await change((db) => findChanges({ db }, list)), {
      version: (one) => one.version,
      time: (one) => one.created_datetime,
      by: (one) => one.actor,
      what: (one) => (one.undone_by === undefined ? one.kind : `${one.kind}, undone`),
      added: (one) => one.added,
      raised: (one) => one.raised,
      lowered: (one) => one.lowered,
      removed: (one) => one.removed,
      file: (one) => one.file_name,
    })
  }
  const found = await change(async (db, config) => {
    const targets = findTargets(settingDeps(db, config), bodyOf(target))
    return (await Promise.all(targets.map((one) => findHistory({ db }, list, one)))).flat()
  })
  return rows(found, {
    ...RULE_COLUMNS,
    state: (one) => (one.withdrawn_datetime === undefined ? '' : `withdrawn ${one.withdrawn_datetime}`),
    changed: (one) => one.created_datetime,
    by: (one) => one.actor,
  })
}

async function undo(list: string): Promise<Result> {
  const { version, undone } = await change((db) => undoImport({ db }, COMMAND_LINE, list))
  const file = undone.file_name === null ? '' : ` of ${undone.file_name}`
  const text = `The import${file} by ${undone.actor} at ${undone.created_datetime} is undone.`
  return done(text, { list, version, undone_version: Number(undone.version) })
}
