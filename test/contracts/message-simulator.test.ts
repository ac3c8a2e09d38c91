import { messageCarrierContract } from './message-carrier.ts'
import type { Mood, Peer, TakenText } from './message-network.ts'

const IN_PROCESS = 'it lives in our process and database: there is no wire between us'

messageCarrierContract('the simulator', {
  channel: 'sms',
  start: startHandsets,
  never: {
    disowns: 'it refuses immediately what it does not carry',
    loses_a_part: 'handsets show a text whole',
    refuses_here: 'there is no other carrier behind it',
    answers_slowly: IN_PROCESS,
    hangs: IN_PROCESS,
    drops: IN_PROCESS,
    babbles: IN_PROCESS,
    is_away: IN_PROCESS,
    reports_strays: 'its reports are made of the messages it took',
    hands_on_texts: 'inbound texts are simulated by the sandbox routes of the API',
  },
  resubmittable: true,
  tells_room: false,
  told_urgency: false,
  sends_expiry: false,
  knows_our_reference: false,
  names_texts: false,
  patient: {},
})

/** Behaviours that belong to one number; all others are delivered. */
const NUMBERS: Partial<Record<Mood, string>> = {
  delivers_twice: '2348000000006',
  delivers_early: '2348000000007',
  loses: '2348000000001',
  refuses: '2348000000003',
  puts_off: '2348000000009',
}

/** The simulator is its own network; the texts on its phones are in the database. */
async function startHandsets(): Promise<Peer> {
  let next_number = 2_348_031_000_000
  return {
    port: 0,
    settings: { kind: 'simulator', name: 'simulator', report_delay_ms: 20 },
    number: (mood) => NUMBERS[mood] ?? String((next_number += 1)),
    taken: async (db, recipient) =>
      db<TakenText[]>`select text from sandbox_messages where recipient = ${recipient} order by id`,
    quiet: async () => {}, // Its reports wait in the queue of the service.
    close: async () => {},
  }
}
