import type { Meters } from '../../observe/meters.ts'
import type { CarrierState } from '../schema.ts'
import type { PhoneLine } from './store.ts'

/** The state of a carrier that consists of these phones. */
export function phoneState(lines: readonly PhoneLine[]): Pick<CarrierState, 'state' | 'detail'> {
  const present = new Map(lines.map((line) => [line.id, line.present]))
  const there = [...present.values()].filter(Boolean).length
  if (present.size === 0) return { state: 'down', detail: 'no phone has joined yet' }
  const resting = lines.filter(({ rests_until }) => rests_until !== null).length
  const sims = resting > 0 ? `; ${resting} ${resting === 1 ? 'SIM rests' : 'SIMs rest'} after failures` : ''
  const state = there === 0 ? 'down' : there < present.size || resting > 0 ? 'degraded' : 'up'
  const counted = present.size === 1 ? `${there} of 1 phone is there` : `${there} of ${present.size} phones are there`
  return { state, detail: counted + sims }
}

/** Measures phones, and removes the metrics of those that are gone. */
export function measurePhones(meters: Meters, carrier: string, lines: readonly PhoneLine[], before: PhoneLine[]): void {
  for (const { id, sim } of before) {
    for (const meter of [meters.phone_present, meters.phone_seen, meters.phone_battery]) {
      meter.remove({ carrier, phone: id })
    }
    for (const meter of [meters.phone_in_flight, meters.phone_used]) meter.remove({ carrier, phone: id, sim: sim ?? 0 })
  }
  for (const line of lines) {
    const phone = { carrier, phone: line.id }
    meters.phone_present.set(phone, line.present ? 1 : 0)
    if (line.seen_datetime !== null) meters.phone_seen.set(phone, Date.parse(line.seen_datetime) / 1_000)
    if (line.battery !== null) meters.phone_battery.set(phone, line.battery)
    if (line.sim === null) continue
    meters.phone_in_flight.set({ ...phone, sim: line.sim }, line.in_flight)
    meters.phone_used.set({ ...phone, sim: line.sim }, line.used_day)
  }
}
