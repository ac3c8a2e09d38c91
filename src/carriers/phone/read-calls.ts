import { at, words } from '../vendor-words.ts'

/** What the app tells of a phone when it registers, and again when it starts. */
export type GivenSim = { sim: number; operator: string | null; number_end: string | null }
export type PhoneStateWord = (typeof WORDS)[number]
export type GivenState = { id: string; phone_state: PhoneStateWord; error: string | null; has_sent: boolean }
export type Health = { battery: number | null; charging: boolean | null; network: string | null }
export type GivenText = { id: string; from: string; recipient: string | null; sim: number | null; text: string }

const WORDS = ['Pending', 'Processed', 'Sent', 'Delivered', 'Failed', 'Cancelled'] as const
const MOST_SIMS = 10
/** The app tells of one at a time. */
export const MOST_STATES = 100
const LONGEST_TEXT = 4_096
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Undefined when the call does not speak of SIMs. An app that may not look at them knows of none: the phone chooses. */
export function readSims(body: unknown): GivenSim[] | undefined {
  const given = at(body, 'simCards')
  if (!Array.isArray(given)) return undefined
  const sims = new Map<number, GivenSim>()
  for (const one of given.slice(0, MOST_SIMS)) {
    const sim = at(one, 'simNumber')
    if (typeof sim !== 'number' || !Number.isInteger(sim) || sim < 1 || sim > MOST_SIMS) continue
    const [operator, number_end] = [words(at(one, 'carrierName')) ?? null, words(at(one, 'phoneNumber')) ?? null]
    sims.set(sim, { sim, operator, number_end })
  }
  return sims.size === 0 ? [{ sim: 0, operator: null, number_end: null }] : [...sims.values()]
}

export function readName(body: unknown): string {
  return words(at(body, 'name')) ?? 'phone'
}

/** States of messages; what is none is left out, since it cannot be one of ours. Of one message the last word counts. */
export function readStates(body: unknown): GivenState[] {
  if (!Array.isArray(body)) return []
  const states = new Map<string, GivenState>()
  for (const one of body.slice(0, MOST_STATES)) {
    const [id, word] = [at(one, 'id'), at(one, 'state')]
    const phone_state = WORDS.find((known) => known === word)
    if (typeof id !== 'string' || !UUID.test(id) || phone_state === undefined) continue
    const recipients = at(one, 'recipients')
    const error = Array.isArray(recipients) ? (words(at(recipients[0], 'error')) ?? null) : null
    states.set(id, { id, phone_state, error, has_sent: at(one, 'states', 'Sent') !== undefined })
  }
  return [...states.values()]
}

const TRANSPORTS: readonly [number, string][] = [
  [4, 'Wi-Fi'],
  [8, 'Ethernet'],
]
const CELLULAR = ['', '', '2G', '3G', '4G', '5G']

/** Of a ping: battery, and how it reaches us. How strong the signal is the app does not tell. */
export function readHealth(payload: unknown): Health {
  const check = (name: string): number | undefined => {
    const value = at(payload, 'health', 'checks', name, 'observedValue')
    return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined
  }
  const level = check('battery:level')
  const flags = check('battery:charging')
  const transport = check('connection:transport') ?? 0
  const cellular = CELLULAR[check('connection:cellular') ?? 0]
  const ways = TRANSPORTS.flatMap(([flag, name]) => ((transport & flag) > 0 ? [name] : []))
  if ((transport & 2) > 0) ways.push(cellular ? `mobile ${cellular}` : 'mobile')
  return {
    battery: level === undefined || level < 0 || level > 100 ? null : level,
    charging: flags === undefined ? null : (flags & 7) > 0,
    network: ways.length > 0 ? ways.join(', ') : null,
  }
}

/** A text that the phone received; undefined when it makes no sense. Older apps call the sender `phoneNumber`. */
export function readText(body: unknown): GivenText | undefined {
  const payload = at(body, 'payload')
  const [id, from] = [words(at(body, 'id')), words(at(payload, 'sender')) ?? words(at(payload, 'phoneNumber'))]
  const text = at(payload, 'message')
  if (id === undefined || from === undefined || typeof text !== 'string') return undefined
  const sim = at(payload, 'simNumber')
  return {
    id,
    from,
    recipient: words(at(payload, 'recipient')) ?? null,
    sim: typeof sim === 'number' && Number.isInteger(sim) && sim >= 0 && sim <= MOST_SIMS ? sim : null,
    text: text.replaceAll('\u0000', '').slice(0, LONGEST_TEXT),
  }
}
