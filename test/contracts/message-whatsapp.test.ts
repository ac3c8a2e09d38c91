import { setTimeout as delay } from 'node:timers/promises'
import {
  failure,
  inbound,
  postWebhook,
  startMetaServer,
  statusOf,
  webhookBody,
  type Mood as MetaMood,
  type Taken,
} from '../support/meta-server.ts'
import { messageCarrierContract } from './message-carrier.ts'
import type { Mood, Peer } from './message-network.ts'

messageCarrierContract('WhatsApp', {
  channel: 'whatsapp',
  start: startPeer,
  never: {
    loses: 'Meta says of a message that failed that it was not carried',
    loses_a_part: 'a text goes out whole',
    refuses_here: 'WhatsApp recipients have no other carrier',
  },
  resubmittable: false,
  tells_room: true,
  told_urgency: false,
  sends_expiry: false,
  knows_our_reference: true,
  names_texts: true,
  patient: { timeout_ms: 60_000 },
  async invite(db, recipient) {
    await db`
      insert into whatsapp_users (carrier, recipient, received_datetime) values ('meta', ${recipient}, now())`
  },
  // A person gets one message every six seconds.
  async letTimePass(db) {
    await db`update whatsapp_users set sent_datetime = null where sent_datetime is not null`
  },
})

const THINKS_MS = 200
const ANSWERS: Partial<Record<Mood, MetaMood>> = {
  refuses: { code: 131026 },
  hangs: 'take_and_hang',
  drops: 'take_and_drop',
  babbles: 'take_and_babble',
}
const delivered = (message: Taken) => statusOf(message, 'delivered')
const failed = (message: Taken) => failure(message, 131026)
const REPORTS: Partial<Record<Mood, readonly ((message: Taken) => object)[]>> = {
  delivers: [delivered],
  delivers_twice: [delivered, delivered],
  puts_off: [delivered],
  disowns: [failed, failed],
}

/** An emulator of Meta's Graph API, with webhooks. */
async function startPeer(port = 0): Promise<Peer> {
  const meta = await startMetaServer(port)
  const moods = new Map<string, Mood>()
  const tries = new Map<string, number>()
  const reporting = new Set<Promise<unknown>>()
  const moodOf = ({ to }: Taken): Mood => moods.get(to) ?? 'delivers'

  meta.mood = (message) => {
    const tried = (tries.get(message.to) ?? 0) + 1
    tries.set(message.to, tried)
    if (moodOf(message) === 'puts_off' && tried <= 2) return { code: 131000 }
    return ANSWERS[moodOf(message)] ?? 'take'
  }
  meta.beforeAnswer = async (message) => {
    const mood = moodOf(message)
    if (mood === 'answers_slowly') await delay(THINKS_MS)
    if (mood === 'delivers_early') await post({ statuses: [delivered(message)] })
    if (peer.reports_to) reportLater(message, REPORTS[mood] ?? [])
  }

  async function post(news: { statuses?: object[]; messages?: object[] }): Promise<boolean> {
    if (!peer.reports_to) return false
    return (await postWebhook(peer.reports_to, webhookBody([news]))) === 200
  }

  /** After the response, which is written first. */
  function reportLater(message: Taken, reports: readonly ((message: Taken) => object)[]): void {
    const posted = delay(1).then(() => Promise.all(reports.map((report) => post({ statuses: [report(message)] }))))
    reporting.add(posted)
    void posted.finally(() => reporting.delete(posted))
  }

  const takenBy = (recipient: string): Taken[] => meta.taken.filter(({ to }) => to === recipient)
  let next_number = 2_348_031_000_000
  const peer: Peer = {
    port: Number(new URL(meta.url).port),
    settings: { name: 'meta', ...meta.settings({ timeout_ms: 1_500, rate_per_s: 1_000 }) },
    number(mood) {
      const number = String((next_number += 1))
      moods.set(number, mood)
      return number
    },
    taken: async (_, recipient) => takenBy(recipient).map((message) => ({ text: textOf(message) })),
    report: (recipient) => post({ statuses: takenBy(recipient).slice(-1).map(delivered) }),
    reportStray: () => post({ statuses: [{ id: 'wamid.nobody-knows', status: 'delivered' }] }),
    sendText: (text, id) => post({ messages: [inbound(`wamid.${id}`, '2348031234567', text)] }),
    quiet: async () => void (await Promise.all(reporting)),
    close: () => meta.close(),
  }
  return peer
}

/** The values of a template. */
function textOf({ text, template }: Taken): string {
  return text?.body ?? JSON.stringify(template?.components)
}
