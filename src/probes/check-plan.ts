import { checkStorable } from '../values/input/storable.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { operatorsOf, type ProbeNetwork } from './network.ts'
import type { Plan } from './plan-store.ts'
import { wordingFault } from './wording.ts'

type PlanFields = Omit<Plan, 'id' | 'name'>
type Given = { [K in keyof PlanFields]?: PlanFields[K] | undefined }

/** The fields of a plan, complete. Refuses with the given faults and all that it finds. */
export function checkPlan(network: ProbeNetwork, given: Given, shape_faults: readonly Fault[]): PlanFields {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field.split(/[.[]/, 1)[0]))
  const sound = Object.fromEntries(Object.entries(given).filter(([field]) => !misshapen.has(field))) as Given
  const {
    carrier = '',
    sender_id = '',
    wordings = [],
    per_day = 0,
    per_campaign = 0,
    from_hour = 0,
    to_hour = 24,
  } = sound
  if (sound.carrier !== undefined && !network.carriers.includes(carrier)) {
    const message = `There is no carrier ${carrier} of the kind smpp or http.`
    faults.push({ field: 'carrier', message, type: 'not_found' })
  }
  const { country, operator } = findOperator(network, sound, faults)
  checkStorable('sender_id', sender_id, faults)
  for (const [n, wording] of wordings.entries()) {
    checkStorable(`wordings[${n}]`, wording, faults)
    const message = wordingFault(wording)
    if (message !== undefined) faults.push({ field: `wordings[${n}]`, message, type: 'unknown_placeholder' })
  }
  if (from_hour >= to_hour) {
    faults.push({ field: 'to_hour', message: 'It must be after from_hour.', type: 'greater_than_equal' })
  }
  refuseIfFaulty(faults)
  return { carrier, country, operator, sender_id, wordings, per_day, per_campaign, from_hour, to_hour }
}

const NOWHERE = { country: '', operator: '' }

/** The operator as the numbers spell it, which must be that of a configured number. */
function findOperator(network: ProbeNetwork, given: Given, faults: Fault[]) {
  if (given.operator === undefined) return NOWHERE
  const [operator, country] = [given.operator.toLowerCase(), given.country?.toUpperCase()]
  const operators = operatorsOf(network)
  const fitting = operators.filter(
    (one) => one.operator.toLowerCase() === operator && (country === undefined || one.country === country),
  )
  const [first] = fitting
  if (!first) {
    const known = operators.map((one) => `${one.operator} (${one.country})`).join(', ')
    const message =
      known === ''
        ? 'No probe phone has a number of this operator. No carrier has probe: true.'
        : `No probe phone has a number of this operator. There are ${known}.`
    faults.push({ field: 'operator', message, type: 'not_found' })
    return NOWHERE
  }
  if (fitting.some((one) => one.country !== first.country)) {
    faults.push({ field: 'country', message: 'Several countries have this operator: name one.', type: 'missing' })
  }
  return { country: first.country, operator: first.operator }
}
