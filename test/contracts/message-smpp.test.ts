import { setTimeout as delay } from 'node:timers/promises'
import { startNpmSmsc, type Answer, type PeerPdu } from '../support/npm-smsc.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { messageCarrierContract } from './message-carrier.ts'
import type { Mood, Peer, TakenText } from './message-network.ts'

messageCarrierContract('SMPP', {
  channel: 'sms',
  start: startPeer,
  never: {},
  resubmittable: false,
  tells_room: true,
  told_urgency: true,
  sends_expiry: true,
  knows_our_reference: false,
  names_texts: false,
  patient: { response_timeout_s: 60 },
  // A report on an unknown id is matched by its number once the response with the id cannot arrive any more.
  async letTimePass(db) {
    await db`update reports set received_datetime = now() - interval '1 minute'`
    await db`update report_jobs set run_at = now() where not leased and run_at > now()`
  },
})

const THINKS_MS = 200
const REFUSALS: Partial<Record<Mood, number>> = { refuses: 0x0a, refuses_here: 0x45, puts_off: 0x08 }
const REPORTS: Partial<Record<Mood, readonly string[]>> = {
  delivers: ['DELIVRD'],
  delivers_twice: ['DELIVRD', 'DELIVRD'],
  puts_off: ['DELIVRD'],
  loses: ['UNDELIV', 'UNDELIV'],
  disowns: ['REJECTD', 'REJECTD'],
}

/** A third-party SMSC, the npm package `smpp`. */
async function startPeer(port = 0): Promise<Peer> {
  const smsc = await startNpmSmsc(port)
  const moods = new Map<string, Mood>()
  const tries = new Map<string, number>()
  const taken = new Map<string, (TakenText & { id: string })[]>()
  const reporting = new Set<Promise<unknown>>()

  smsc.answer = async (pdu): Promise<Answer> => {
    const to = pdu.destination_addr
    const mood = moods.get(to) ?? 'delivers'
    const tried = (tries.get(to) ?? 0) + 1
    tries.set(to, tried)
    const refusal = REFUSALS[mood]
    if (refusal !== undefined && !(mood === 'puts_off' && tried > 2)) return { command_status: refusal }

    const id = `s-${smsc.submits.length}`
    taken.set(to, [...(taken.get(to) ?? []), { id, ...readSubmit(pdu) }])
    if (mood === 'hangs') return 'silence'
    if (mood === 'drops') return 'cut'
    if (mood === 'babbles') return 'nonsense'
    if (mood === 'answers_slowly') await delay(THINKS_MS)
    if (mood === 'delivers_early') await report(id, 'DELIVRD', to)
    if (peer.reports_to) reportLater(id, to, mood === 'loses_a_part' ? [partStat(pdu)] : (REPORTS[mood] ?? []))
    return { message_id: id }
  }

  const report = async (id: string, stat: string, from: string): Promise<boolean> =>
    (await smsc.report(id, stat, { from })) === 0

  /** After the response, which is written first. */
  function reportLater(id: string, to: string, stats: readonly string[]): void {
    const reports = delay(1).then(() => Promise.all(stats.map((stat) => report(id, stat, to))))
    reporting.add(reports)
    void reports.finally(() => reporting.delete(reports))
  }

  let next_number = 2_348_031_000_000
  const peer: Peer = {
    port: smsc.port,
    settings: smppCarrier(smsc.port, { response_timeout_s: 1 }),
    number(mood) {
      const number = String((next_number += 1))
      moods.set(number, mood)
      return number
    },
    taken: async (_, recipient) => taken.get(recipient) ?? [],
    report: (recipient) => report(taken.get(recipient)?.at(-1)?.id ?? '', 'DELIVRD', recipient),
    reportStray: () => report('nobody-knows', 'DELIVRD', '2348099999999'),
    sendText: async (short_message) =>
      (await smsc.deliver({ source_addr: '2348031234567', destination_addr: '32811', short_message })) === 0,
    quiet: async () => void (await Promise.all(reporting)),
    close: () => smsc.close(),
  }
  return peer
}

/** npm `smpp` parses a relative time as the resulting date. */
function readSubmit({ short_message, priority_flag, validity_period }: PeerPdu): TakenText {
  const expires_in_s = (Number(new Date(String(validity_period))) - Date.now()) / 1_000
  return {
    text: String(short_message.message),
    ...(priority_flag > 0 ? { urgent: true } : {}),
    ...(expires_in_s > 0 ? { expires_in_s } : {}),
  }
}

function partStat({ short_message }: PeerPdu): string {
  const [, , , parts, part] = short_message.udh?.[0] ?? []
  return part === parts ? 'UNDELIV' : 'DELIVRD'
}
