import { at, shortText } from '../vendor-values.ts'

/** What the app sends about a phone when it registers, and again when it starts. */
export type GivenSim = { sim: number; operator: string | null; number_end: string | null }
export type PhoneState = (typeof PHONE_STATES)[number]
export type GivenState = { id: string; phone_state: PhoneState; error: string | null; has_sent: boolean }
export type Health = { battery: number | null; charging: boolean | null; network: string | null }
export type GivenText = { id: string; from: string; recipient: string | null; sim: number | null; text: string }

const PHONE_STATES = ['Pending', 'Processed', 'Sent', 'Delivered', 'Failed', 'Cancelled'] as const
const MAX_SIMS = 10
/** The app sends one at a time. */
export const MAX_STATES = 100
const MAX_TEXT_LENGTH = 4_096
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Undefined if the request has no SIMs. An app without the permission to read SIMs sends an empty list: the phone chooses. */
export function readSims(body: unknown): GivenSim[] | undefined {
  const given = at(body, 'simCards')
  if (!Array.isArray(given)) return undefined
  const sims = new Map<number, GivenSim>()
  for (const one of given.slice(0, MAX_SIMS)) {
    const sim = at(one, 'simNumber')
    if (typeof sim !== 'number' || !Number.isInteger(sim) || sim < 1 || sim > MAX_SIMS) continue
    const [operator, number_end] = [
      shortText(at(one, 'carrierName')) ?? null,
      shortText(at(one, 'phoneNumber')) ?? null,
    ]
    sims.set(sim, { sim, operator, number_end })
  }
  return sims.size === 0 ? [{ sim: 0, operator: null, number_end: null }] : [...sims.values()]
}

export function readName(body: unknown): string {
  return shortText(at(body, 'name')) ?? 'phone'
}

/** States of messages; invalid ones are skipped, and of several for one message the last counts. */
export function readStates(body: unknown): GivenState[] {
  if (!Array.isArray(body)) return []
  const states = new Map<string, GivenState>()
  for (const one of body.slice(0, MAX_STATES)) {
    const [id, word] = [at(one, 'id'), at(one, 'state')]
    const phone_state = PHONE_STATES.find((known) => known === word)
    if (typeof id !== 'string' || !UUID.test(id) || phone_state === undefined) continue
    const recipients = at(one, 'recipients')
    const error = Array.isArray(recipients) ? (shortText(at(recipients[0], 'error')) ?? null) : null
    states.set(id, { id, phone_state, error, has_sent: at(one, 'states', 'Sent') !== undefined })
  }
  return [...states.values()]
}

const TRANSPORTS: readonly [number, string][] = [
  [4, 'Wi-Fi'],
  [8, 'Ethernet'],
]
const CELLULAR = ['', '', '2G', '3G', '4G', '5G']

/** Battery and connection, from a ping. The app does not send the signal strength. */
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

/** A text that the phone received; undefined if fields are missing. Older apps call the sender `phoneNumber`. */
export function readText(body: unknown): GivenText | undefined {
  const payload = at(body, 'payload')
  const [id, from] = [
    shortText(at(body, 'id')),
    shortText(at(payload, 'sender')) ?? shortText(at(payload, 'phoneNumber')),
  ]
  const text = at(payload, 'message')
  if (id === undefined || from === undefined || typeof text !== 'string') return undefined
  const sim = at(payload, 'simNumber')
  return {
    id,
    from,
    recipient: shortText(at(payload, 'recipient')) ?? null,
    sim: typeof sim === 'number' && Number.isInteger(sim) && sim >= 0 && sim <= MAX_SIMS ? sim : null,
    text: text.replaceAll('\u0000', '').slice(0, MAX_TEXT_LENGTH),
  }
}
