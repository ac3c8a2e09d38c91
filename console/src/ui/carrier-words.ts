import { firstWords, recognised, type ValueWords } from '../text/recognised.ts'
import { number } from '../text/text.ts'

/** What the service says of the state of a carrier (`describe` of its kind). */
const KNOWN = [
  recognised('{up} of 1 bind is up'),
  recognised('{up} of {n} binds are up'),
  recognised('{there} of 1 phone is there'),
  recognised('{there} of {n} phones are there'),
  recognised('{n} SIM rests after failures'),
  recognised('{n} SIMs rest after failures'),
  recognised('no phone has joined yet'),
  recognised('not called yet'),
  recognised('cannot be reached: {reason}'),
  recognised('paused: {reason}'),
  recognised('balance {balance}'),
  recognised('balance {balance}, which is low'),
  recognised('messaging limit: {used} of {limit} people in 24 hours, so that templates wait'),
  recognised('Meta rates the quality of the number as low'),
].sort((a, b) => b.fixed_length - a.fixed_length)

const VALUES: ValueWords = { up: count, n: count, there: count, used: count, limit: count }

/** Translates the detail of a carrier's state, part by part; a part that is unknown, such as a network's error, stays. */
export function carrierWords(detail: string): string {
  return detail
    .split('; ')
    .map((part) => firstWords(KNOWN, part, VALUES))
    .join('; ')
}

function count(value: string): string {
  return number(Number(value))
}
