import { readConfig } from '../../config/config.ts'
import { readOrganisation } from '../../organisations/read.ts'
import { changeList } from '../../prices/change-list.ts'
import { assignPrices, setDefaultList } from '../../prices/manage.ts'
import { BELOW_COST } from '../../prices/schema.ts'
import { findLists } from '../../prices/read.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { isId } from '../../values/id.ts'
import { withDatabase } from '../database.ts'
import { form, valued, type Command } from '../terminal/command.ts'
import { notFound, usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { change } from './change.ts'
import { listForms } from './lists.ts'

const ABOUT_LISTS = 'list the price lists: rules, organisations, and which is the default'

const FEES = {
  'otp-per-request': valued('AMOUNT', 'charged for every OTP beside its message'),
  'otp-per-verified': valued('AMOUNT', 'charged with every OTP, and refunded once it has ended without being verified'),
  'airtime-commission': valued('PERCENT', 'added to the price of airtime, from -50 (a discount) to 100'),
}

/** The price lists of the installation. */
export const prices: Command = [
  form('', ABOUT_LISTS, {}, lists),
  form('list', ABOUT_LISTS, {}, lists),
  form('default LIST', 'make it the list of all organisations without another', {}, (_, list = '') =>
    makeDefault(list),
  ),
  form(
    'below-cost LIST ACTION',
    'allow, warn (count in a metric) or refuse messages whose price is below the cost of their first carrier',
    {},
    (_, list = '', action = '') => belowCost(list, action),
    ['gangan prices below-cost wholesale refuse'],
  ),
  form(
    'fees LIST',
    'change what a price list charges beside messages, in effect within two seconds; none: nothing',
    FEES,
    (given, list = '') => setFees(list, given),
    [
      'gangan prices fees wholesale --otp-per-request 0.50 --otp-per-verified 3',
      'gangan prices fees wholesale --otp-per-verified none --airtime-commission=-2.5',
    ],
  ),
  form(
    'assign ORGANISATION LIST',
    'give an organisation, and its test organisation, a price list; default: that of all others',
    {},
    (_, id = '', list = '') => assign(id, list),
    ['gangan prices assign 0197c1f2-3f5e-7aa4-9a51-2f8d7c6b5a40 wholesale'],
  ),
  ...listForms('prices', 'price', 'wholesale'),
]

async function lists(): Promise<Result> {
  const config = readConfig()
  const found = await withDatabase(config, (db) => findLists({ db }, config.settings.prices))
  return rows(found, {
    list: (one) => one.name,
    default: (one) => (one.is_default ? 'yes' : ''),
    rules: (one) => one.rules,
    organisations: (one) => one.organisations,
    'below cost': (one) => one.below_cost,
    'otp request': (one) => one.otp_per_request,
    'otp verified': (one) => one.otp_per_verified,
    'airtime %': (one) => one.airtime_commission,
    'managed by': (one) => one.managed_by,
    changed: (one) => one.changed_datetime,
    by: (one) => one.changed_by,
  })
}

async function makeDefault(list: string): Promise<Result> {
  await change((db) => setDefaultList({ db }, COMMAND_LINE, list))
  return done(`${list} is the default, in every process within two seconds.`, { list })
}

async function belowCost(list: string, action: string): Promise<Result> {
  const below_cost = BELOW_COST.find((word) => word === action)
  if (!below_cost) throw usageFault(`${action} is none of ${BELOW_COST.join(', ')}.`)
  await change((db) => changeList({ db }, COMMAND_LINE, list, { below_cost }))
  return done(`${list} is changed, in every process within two seconds.`, { list, below_cost })
}

type GivenFees = { [Name in keyof typeof FEES]?: string }

async function setFees(list: string, given: GivenFees): Promise<Result> {
  const otp_per_request = given['otp-per-request']
  const otp_per_verified = given['otp-per-verified']
  const airtime_commission = given['airtime-commission']
  const fees = {
    ...(otp_per_request === undefined ? {} : { otp_per_request: feeOf('otp-per-request', otp_per_request) }),
    ...(otp_per_verified === undefined ? {} : { otp_per_verified: feeOf('otp-per-verified', otp_per_verified) }),
    ...(airtime_commission === undefined
      ? {}
      : { airtime_commission: feeOf('airtime-commission', airtime_commission) }),
  }
  if (Object.keys(fees).length === 0) throw usageFault('No fee is given.')
  await change((db) => changeList({ db }, COMMAND_LINE, list, fees))
  return done(`${list} is changed, in every process within two seconds.`, { list, ...fees })
}

/** Null: none. */
function feeOf(option: string, text: string): number | null {
  if (text === 'none') return null
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw usageFault(`--${option} is an amount or none.`)
  return Number(text)
}

async function assign(id: string, list: string): Promise<Result> {
  const price_list = list === 'default' ? null : list
  await change(async (db) => {
    const organisation = isId(id) ? await readOrganisation({ db }, id) : undefined
    if (!organisation) throw notFound(`There is no organisation ${id}; gangan organisations list shows them.`)
    await assignPrices({ db }, COMMAND_LINE, id, price_list)
  })
  const said = price_list === null ? `the default price list` : `the price list ${list}`
  return done(`${id} has ${said}, in every process within two seconds.`, { id, price_list })
}
