import { DIALECTS } from '../../src/emulators/vendor/dialects.ts'
import { startVendorEmulator, type Treatment } from '../../src/emulators/vendor/vendor.ts'
import type { Habit, Mood, Network, Peer } from './message-network.ts'

const ONE_REPORT = 'a text has one id and one report, however long it is'

/** What each vendor's API supports, and what it does not. */
const VENDORS: Record<string, Partial<Network> & { never: Partial<Record<Mood | Habit, string>> }> = {
  africastalking: { never: { loses_a_part: ONE_REPORT } },
  termii: { never: { loses_a_part: ONE_REPORT }, one_answer: true },
  twilio: { never: { loses_a_part: ONE_REPORT }, sends_expiry: true },
  infobip: { never: { loses_a_part: ONE_REPORT }, sends_expiry: true },
  vonage: { never: {}, sends_expiry: true },
  kannel: { never: { loses_a_part: ONE_REPORT }, told_urgency: true, sends_expiry: true },
  smsgate: phone(),
  'smsgate-local': phone(),
}

function phone() {
  const refuses_here = 'it refuses numbers that are none, which no other carrier would take'
  return {
    never: { loses_a_part: ONE_REPORT, refuses_here },
    resubmittable: true,
    told_urgency: true,
    sends_expiry: true,
  }
}

/** A vendor, as the contract must know it. */
export function httpNetwork(preset: string): Network {
  return {
    channel: 'sms',
    start: (port) => startPeer(preset, port),
    resubmittable: false,
    tells_room: true,
    told_urgency: false,
    sends_expiry: false,
    knows_our_reference: false,
    names_texts: true,
    patient: { timeout_ms: 60_000 },
    // A report on an unknown id is matched by its number once the response with the id cannot arrive any more.
    async letTimePass(db) {
      await db`update reports set received_datetime = now() - interval '1 minute'`
      await db`update jobs set run_at = now() where queue = 'reports' and not leased and run_at > now()`
    },
    never: {},
    ...VENDORS[preset],
  }
}

const THINKS_MS = 200

const TREATMENTS: Record<Mood, Treatment> = {
  delivers: { made: 'taken', ends: ['delivered'] },
  delivers_twice: { made: 'taken', ends: ['delivered', 'delivered'] },
  delivers_early: { made: 'taken', ends: ['delivered'], early: true },
  loses: { made: 'taken', ends: ['lost', 'lost'] },
  disowns: { made: 'taken', ends: ['disowned', 'disowned'] },
  loses_a_part: { made: 'taken', ends: ['delivered'], part_lost: true },
  answers_slowly: { made: 'taken', delay_ms: THINKS_MS },
  refuses: { made: 'refused' },
  refuses_here: { made: 'refused_here' },
  puts_off: { made: 'put_off' },
  hangs: { made: 'hangs' },
  drops: { made: 'drops' },
  babbles: { made: 'babbles' },
}

/** The emulator of a vendor, which implements its documentation. */
async function startPeer(preset: string, port = 0): Promise<Peer> {
  const moods = new Map<string, Mood>()
  const tries = new Map<string, number>()
  const dialect = DIALECTS[preset]
  if (!dialect) throw new Error(`no emulator for the preset ${preset}`)
  const vendor = await startVendorEmulator({ name: preset, dialect, port, host: '127.0.0.1' }, ({ to }) => {
    const mood = moods.get(to) ?? 'delivers'
    const tried = (tries.get(to) ?? 0) + 1
    tries.set(to, tried)
    return mood === 'puts_off' && tried > 2 ? TREATMENTS.delivers : TREATMENTS[mood]
  })
  const settings = { ...vendor.settings('vendor'), timeout_ms: 1_500, rate_per_s: 10_000 }
  let next_number = 2_348_031_000_000
  let reports_to_service: Peer['reports_to']
  return {
    port: vendor.port,
    settings,
    get reports_to() {
      return reports_to_service
    },
    set reports_to(service) {
      reports_to_service = service
      // The public name of the service, which is part of signed addresses.
      vendor.reports_to = service && { url: service.url, carrier: settings.name, public_url: 'http://127.0.0.1:0' }
    },
    number(mood) {
      const number = String((next_number += 1))
      moods.set(number, mood)
      return number
    },
    taken: async (_, recipient) => vendor.taken.filter(({ to }) => to === recipient),
    report: (recipient) => vendor.report(recipient, 'delivered'),
    reportStray: () => vendor.reportStray(),
    sendText: (text, id) => vendor.sendText(id, '2348031234567', '32811', text),
    quiet: () => vendor.quiet(),
    close: () => vendor.close(),
  }
}
