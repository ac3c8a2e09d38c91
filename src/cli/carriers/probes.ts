import { readFile, stat } from 'node:fs/promises'
import { readEffective } from '../../config/effective.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { readPrefixTable } from '../../numbers/prefix-table.ts'
import { readKeys } from '../../otp/pepper.ts'
import { readCarrierCosts } from '../../prices/carrier-costs.ts'
import { changePlan, createPlan, findPlans, removePlan, type PlanDeps } from '../../probes/manage.ts'
import { probeNetworkOf } from '../../probes/network.ts'
import { exportProbes, findProbe, findProbes } from '../../probes/read.ts'
import {
  MAX_PER_CAMPAIGN,
  MAX_PER_DAY,
  MAX_WORDING,
  MAX_WORDINGS,
  type ShownPlan,
  type ShownProbe,
} from '../../probes/schema.ts'
import { runPlan } from '../../probes/send.ts'
import { makeWakeups } from '../../queue/wakeups.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { moneyFromNumber, moneyToText } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { makePseudonym } from '../../values/secrets/pseudonym.ts'
import { codeOf } from '../../values/thrown.ts'
import { withDatabase } from '../database.ts'
import { change } from '../prices/change.ts'
import { readConfig } from '../../config/config.ts'
import { choice, form, integer, plainForm, valued, type Command } from '../terminal/command.ts'
import { OperatorFault, usageFault } from '../terminal/operator-fault.ts'
import { done, table, type Columns, type Result } from '../terminal/result.ts'

const PLAN = {
  carrier: valued('NAME', 'the carrier that is probed'),
  operator: valued('NAME', 'the operator of the numbers that it sends to'),
  country: valued('COUNTRY', 'needed if two countries have this operator'),
  from: valued('SENDER', 'the sender of the texts'),
  text: valued('TEXT', 'the text, with {{code}} or {{word}} in it'),
  texts: valued('FILE', 'several texts, one in each line, used in rotation'),
  'per-day': integer(1, MAX_PER_DAY, 'the most probes of any 24 hours (24)'),
  'per-campaign': integer(0, MAX_PER_CAMPAIGN, 'probes with the text of each campaign, within the limit of a day (0)'),
  hours: valued('FROM-TO', 'when it sends, by the clocks of the country (8-22)'),
}
const SWITCH = { switch: choice(['on', 'off'], 'start or stop sending') }
const FILTER = {
  plan: valued('NAME', 'only probes of this plan'),
  carrier: valued('NAME', 'only probes through this carrier'),
}
const RESULTS = {
  ...FILTER,
  limit: integer(1, 1_000, 'so many (100)'),
  cursor: valued('CURSOR', 'continue after the list that printed it'),
}
const ABOUT_LIST = 'list plans of probes, with what they are expected to cost'

/** Texts to phones of ours that show what carriers really deliver. */
export const probes: Command = [
  form('', ABOUT_LIST, {}, list),
  form('list', ABOUT_LIST, {}, list),
  form(
    'create NAME',
    'create a plan: texts through one carrier to the probe phones at one operator; it is switched off',
    PLAN,
    create,
    ["gangan probes create codes --carrier mtn --operator MTN --from MyBank --text 'Code: {{code}}'"],
  ),
  form('update NAME', 'change a plan, or switch it on or off', { ...PLAN, ...SWITCH }, update, [
    'gangan probes update codes --switch on',
    'gangan probes update codes --per-day 48 --hours 0-24',
  ]),
  form('delete NAME', 'delete a plan; its results stay', {}, remove),
  form('run NAME', 'send one probe of a plan now', {}, run),
  form('results', 'list probes: report, arrival, sender and text as displayed', RESULTS, results),
  plainForm('export', 'print probes as CSV for a dispute with a carrier; numbers are hashed', FILTER, exportAll, [
    'gangan probes export --carrier mtn > dispute.csv',
  ]),
]

type PlanGiven = {
  carrier?: string
  operator?: string
  country?: string
  from?: string
  text?: string
  texts?: string
  'per-day'?: string
  'per-campaign'?: string
  hours?: string
}

async function withPlans<T>(work: (deps: PlanDeps, config: Config) => Promise<T>): Promise<T> {
  return change(async (db, config) => {
    const effective = await readEffective({ db }, config)
    const costs = await readCarrierCosts({ db, originOf: readPrefixTable().originOf })
    const network = probeNetworkOf(effective.settings.carriers)
    const { currency } = effective.settings
    return work({ db, readNetwork: () => network, costs, currency }, effective)
  })
}

async function list(): Promise<Result> {
  const { plans, currency } = await withPlans((deps) => findPlans(deps))
  return { data: plans, text: table(plans, PLAN_COLUMNS), note: `Amounts in ${currency}.` }
}

const PLAN_COLUMNS: Columns<ShownPlan> = {
  plan: (one) => one.name,
  state: (one) => (one.enabled ? 'on' : 'off'),
  carrier: (one) => one.carrier,
  operator: (one) => `${one.operator} (${one.country})`,
  sender: (one) => one.sender_id,
  texts: (one) => one.wordings.length,
  numbers: (one) => one.numbers,
  'per day': (one) => one.per_day,
  'per campaign': (one) => one.per_campaign,
  hours: (one) => `${one.from_hour}-${one.to_hour}`,
  'cost per day': (one) => costText(one.expected_cost?.per_day),
  'per month': (one) => costText(one.expected_cost?.per_month),
  next: (one) => one.next_datetime,
  problem: (one) => one.problem,
}

function costText(cost: number | undefined): string {
  const money = cost === undefined ? undefined : moneyFromNumber(cost)
  return money === undefined ? 'not known' : moneyToText(money)
}

async function create(given: PlanGiven, name = ''): Promise<Result> {
  const { carrier, operator, sender_id, wordings, ...others } = await fieldsOf(given)
  if (carrier === undefined || operator === undefined || sender_id === undefined || wordings === undefined) {
    throw usageFault('--carrier, --operator, --from and --text or --texts are required.')
  }
  const body = { name, carrier, operator, sender_id, wordings, ...others }
  return planDone(await withPlans((deps) => createPlan(deps, COMMAND_LINE, body)))
}

async function update({ switch: wanted, ...given }: PlanGiven & { switch?: string }, name = ''): Promise<Result> {
  const fields = {
    ...(await fieldsOf(given)),
    ...present('enabled', wanted === undefined ? undefined : wanted === 'on'),
  }
  return planDone(await withPlans((deps) => changePlan(deps, COMMAND_LINE, name, fields)))
}

function planDone(plan: ShownPlan): Result {
  const { name, enabled, expected_cost } = plan
  const cost = `Its expected cost is ${expected_cost ? `${costText(expected_cost.per_day)} a day, ${costText(expected_cost.per_month)} a month` : 'not known'}`
  const next = enabled ? '' : ` gangan probes update ${name} --switch on starts it.`
  return done(`${name} is switched ${enabled ? 'on' : 'off'}. ${cost}.${next}`, { plan })
}

async function fieldsOf(given: PlanGiven) {
  const {
    carrier,
    operator,
    country,
    from,
    text,
    texts,
    'per-day': per_day,
    'per-campaign': per_campaign,
    hours,
  } = given
  if (text !== undefined && texts !== undefined) throw usageFault('Give --text or --texts, not both.')
  const wordings = text !== undefined ? [text] : texts === undefined ? undefined : await readWordings(texts)
  const tooLong = wordings?.find((one) => one.length > MAX_WORDING)
  if (tooLong !== undefined) throw usageFault(`A text has at most ${MAX_WORDING} characters.`)
  if (country !== undefined && !/^[A-Za-z]{2}$/.test(country)) throw usageFault('--country takes a code such as NG.')
  if (from !== undefined && (from.length < 1 || from.length > MAX_SENDER)) {
    throw usageFault(`--from takes at most ${MAX_SENDER} characters.`)
  }
  return {
    ...present('carrier', carrier),
    ...present('operator', operator),
    ...present('country', country),
    ...present('sender_id', from),
    ...present('wordings', wordings),
    ...present('per_day', per_day === undefined ? undefined : Number(per_day)),
    ...present('per_campaign', per_campaign === undefined ? undefined : Number(per_campaign)),
    ...hoursOf(hours),
  }
}

const MAX_SENDER = 20

function hoursOf(hours: string | undefined): { from_hour?: number; to_hour?: number } {
  if (hours === undefined) return {}
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(hours) ?? []
  if (from === undefined || to === undefined || Number(to) > 24)
    throw usageFault('--hours takes two hours such as 8-22.')
  return { from_hour: Number(from), to_hour: Number(to) }
}

/** More than the longest texts need. */
const MAX_FILE_BYTES = 100_000

async function readWordings(file: string): Promise<string[]> {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) throw usageFault(`${file} is too large for texts of probes.`)
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim())
    const wordings = lines.filter((line) => line !== '')
    if (wordings.length > 0 && wordings.length <= MAX_WORDINGS) return wordings
    throw usageFault(`${file} must have 1 to ${MAX_WORDINGS} lines, each a text.`)
  } catch (fault) {
    if (fault instanceof OperatorFault) throw fault
    throw usageFault(`${file} cannot be read (${codeOf(fault)}).`)
  }
}

async function remove(_: object, name = ''): Promise<Result> {
  await withPlans(({ db }) => removePlan({ db }, COMMAND_LINE, name))
  return done(`${name} is deleted; its results stay for their 90 days.`, { name })
}

async function run(_: object, name = ''): Promise<Result> {
  const probe = await withPlans(async (deps) => {
    const wakeups = await makeWakeups(deps.db)
    try {
      return await findProbe(deps, await runPlan({ ...deps, wakeups }, COMMAND_LINE, name))
    } finally {
      await wakeups.close()
    }
  })
  const reason = probe.outcome_reason === undefined ? '' : ` (${probe.outcome_reason})`
  return done(`${probe.carrier}: ${probe.outcome}${reason}. gangan probes results shows whether it arrives.`, { probe })
}

type Filter = { plan?: string; carrier?: string }

async function results({ limit, cursor, ...filter }: Filter & { limit?: string; cursor?: string }): Promise<Result> {
  const query = { ...filter, ...present('query_id', cursor), limit: Number(limit ?? 100) }
  const found = await withDatabase(readConfig(), (db) => findProbes({ db }, query))
  const { probes: shown, counts, pagination } = found
  const honest = counts.map((one) => `${one.carrier} at ${one.operator}: ${one.arrived} of ${one.delivered}`)
  const notes = [
    ...(honest.length > 0 ? [`Arrived, of those reported as delivered in 30 days: ${honest.join('; ')}.`] : []),
    ...(pagination.next_page === 'True' ? [`There are more: --cursor ${pagination.query_id}`] : []),
  ]
  return {
    data: { probes: shown, counts },
    text: table(shown, PROBE_COLUMNS),
    ...present('note', notes.length > 0 ? notes.join('\n') : undefined),
  }
}

const PROBE_COLUMNS: Columns<ShownProbe> = {
  submitted: (one) => one.submitted_datetime,
  plan: (one) => one.plan,
  carrier: (one) => one.carrier,
  operator: (one) => one.operator,
  campaign: (one) => one.campaign_id,
  outcome: (one) => one.outcome,
  report: (one) => one.report ?? 'none',
  arrived: (one) => (one.arrived === undefined ? '' : one.arrived ? 'yes' : 'no'),
  seconds: (one) => one.seconds,
  sender: (one) => one.displayed_sender,
  text: (one) => one.displayed,
}

async function exportAll(filter: Filter): Promise<void> {
  const config = readConfig()
  await withDatabase(config, async (db: Db) => {
    const { person_key } = await readKeys({ db }, config)
    for await (const text of exportProbes({ db, pseudonymOf: makePseudonym(person_key) }, filter)) {
      if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve))
    }
  })
}
