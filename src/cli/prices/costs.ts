import { readConfig } from '../../config/config.ts'
import { BILLED_ON } from '../../carriers/costs.ts'
import { carriersOf } from '../../messaging/settings.ts'
import { assignCosts, findCostAssignments } from '../../prices/assign-costs.ts'
import { findLists } from '../../prices/read.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { present } from '../../values/record.ts'
import { withConfigured } from '../configured.ts'
import { withDatabase } from '../database.ts'
import { choice, form, type Command } from '../terminal/command.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { change } from './change.ts'
import { listForms } from './lists.ts'

const ABOUT_LISTS = 'list the cost lists: rules, and the carriers that they are assigned to'
const ASSIGN = {
  'billed-on': choice(
    BILLED_ON,
    'whether the carrier charges for what it accepts, or only for what is delivered (submitted)',
  ),
  answers: choice(['use', 'ignore'], 'whether the costs in its answers, in our currency, count (ignore)'),
}

/** What carriers charge: cost lists, and which carrier has which. */
export const costs: Command = [
  form('', ABOUT_LISTS, {}, lists),
  form('list', ABOUT_LISTS, {}, lists),
  form('carriers', 'list the carriers that have a cost list', {}, carriers),
  form(
    'assign CARRIER LIST',
    'give a carrier a cost list; none: its costs are not known',
    ASSIGN,
    (given, carrier = '', list = '') => assign(carrier, list, given),
    [
      'gangan costs assign mtn mtn-direct --billed-on delivered',
      'gangan costs assign vonage vonage --answers use',
      'gangan costs assign mtn none',
    ],
  ),
  ...listForms('costs', 'cost', 'mtn-direct'),
]

async function lists(): Promise<Result> {
  const config = readConfig()
  const found = await withDatabase(config, (db) => findLists({ db }, config.settings.prices, 'cost'))
  return rows(found, {
    list: (one) => one.name,
    rules: (one) => one.rules,
    carriers: (one) => one.carriers?.join(', '),
    changed: (one) => one.changed_datetime,
    by: (one) => one.changed_by,
  })
}

async function carriers(): Promise<Result> {
  const found = await withConfigured((db, { settings }) => {
    const routes = settings.routes.map((route) => ({ name: route.name, carriers: carriersOf(route) }))
    return findCostAssignments({ db }, routes)
  })
  return rows(found, {
    carrier: (one) => one.carrier,
    list: (one) => one.cost_list,
    'billed on': (one) => one.billed_on,
    answers: (one) => (one.use_answers ? 'use' : 'ignore'),
    routes: (one) => one.routes.join(', '),
  })
}

async function assign(
  carrier: string,
  list: string,
  { 'billed-on': billed_on, answers }: { 'billed-on'?: string; answers?: string },
): Promise<Result> {
  const cost_list = list === 'none' ? null : list
  const body = {
    cost_list,
    ...present(
      'billed_on',
      BILLED_ON.find((word) => word === billed_on),
    ),
    ...present('use_answers', answers === undefined ? undefined : answers === 'use'),
  }
  await change((db) => assignCosts({ db }, COMMAND_LINE, carrier, body))
  const said = cost_list === null ? 'no cost list' : `the cost list ${list}`
  return done(`${carrier} has ${said}, in every process within two seconds.`, { carrier, ...body })
}
