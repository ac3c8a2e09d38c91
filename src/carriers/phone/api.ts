import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { newId } from '../../values/id.ts'
import { parseJsonOrRefuse } from '../../values/input/parse-json.ts'
import type { Log } from '../../values/log.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { Refusal } from '../../values/refusal.ts'
import { isSameSecret } from '../../values/secrets/same-secret.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import type { TakeReports, TakeTexts } from '../message-carrier.ts'
import { at, shortText } from '../vendor-values.ts'
import { textSeal } from './assign.ts'
import { takeMessages } from './message-store.ts'
import { carrierQueue } from './queues.ts'
import { readHealth, readName, readSims, readStates, readText, type GivenText } from './read-requests.ts'
import { recordStates } from './record-states.ts'
import type { PhoneSettings } from './schema.ts'
import {
  deleteUnseenPhones,
  insertPhone,
  learnNumber,
  readPairing,
  replaceSims,
  storeHealth,
  touchPhone,
  touchPhoneById,
  type Phone,
} from './store.ts'
import { hashPhoneToken, isSignedByPhone, newPhoneToken, pairingToken, signingKey, type PhoneKey } from './tokens.ts'
import { phoneSettings, phoneWebhooks, writeMessages } from './wire.ts'

export type PhoneApiDeps = {
  db: Db
  log: Log
  wakeups: Wakeups
  seal: Seal
  takeReports: TakeReports
  takeTexts: TakeTexts
  phone_key: PhoneKey
  /** National numbers of people who write are numbers of this country. */
  default_country: string
}

/** The server side of the app SMSGate. An unknown token is refused without further information. */
export type PhoneApi = {
  /** Whether any carrier consists of phones. */
  is_open: boolean
  register(token: string, body: unknown, app: unknown): Promise<{ id: string; token: string; login: string }>
  authenticate(token: string): Promise<Phone>
  update(phone: Phone, body: unknown): Promise<void>
  /** The messages that are assigned to the phone, which counts as having fetched them. */
  pull(phone: Phone, order: unknown): Promise<object[]>
  recordStates(phone: Phone, body: unknown): Promise<void>
  settings(phone: Phone): object
  webhooks(phone: Phone, address: string): object[]
  /** Stores an event of the phone; false if it is not signed by it. */
  receiveEvent(phone_id: string, raw: Buffer, signed: { signature: unknown; timestamp: unknown }): Promise<boolean>
}

/** Per carrier. */
const MAX_PHONES = 100

export function makePhoneApi(deps: PhoneApiDeps, carriers: readonly PhoneSettings[]): PhoneApi {
  const { db, phone_key } = deps
  const names = carriers.map(({ name }) => name)

  async function carrierOf(token: string): Promise<string> {
    for (const carrier of names) {
      if (isSameSecret(token, pairingToken(phone_key, carrier, await readPairing(db, carrier)))) return carrier
    }
    throw unauthenticated()
  }

  function known(phone: Phone | undefined): Phone {
    if (!phone || !names.includes(phone.carrier)) throw unauthenticated()
    return phone
  }

  return {
    is_open: names.length > 0,

    async register(given, body, app) {
      const carrier = await carrierOf(given.trim().toLowerCase())
      const token = newPhoneToken()
      const token_hash = hashPhoneToken(token)
      if (!token_hash) throw new Error('a new phone token has the wrong format')
      const id = newId()
      const phone = { id, carrier, name: readName(body), app: shortText(app) ?? '', token_hash }
      await transaction(db, async (tx) => {
        await deleteUnseenPhones(tx, carrier)
        if (!(await insertPhone(tx, phone, MAX_PHONES))) {
          throw new Refusal('conflict', `There are ${MAX_PHONES} phones already; forget some first.`)
        }
        await replaceSims(tx, id, readSims(body) ?? [{ sim: 0, operator: null, number_end: null }])
      })
      deps.log.info({ carrier, phone: id, name: phone.name }, 'a phone has joined')
      return { id, token, login: carrier }
    },

    async authenticate(token) {
      const hash = hashPhoneToken(token)
      return known(hash && (await touchPhone(db, hash)))
    },

    async update({ id, carrier }, body) {
      const sims = readSims(body)
      if (sims) await transaction(db, (tx) => replaceSims(tx, id, sims))
      deps.wakeups.wake(carrierQueue(carrier))
    },

    async pull({ id, carrier }, order) {
      const taken = await takeMessages(db, id)
      deps.wakeups.wake(carrierQueue(carrier))
      return writeMessages(
        taken.map((message) => ({
          ...message,
          text: message.sealed_text ? deps.seal.open(message.sealed_text, textSeal(message.id)) : undefined,
        })),
        order === 'fifo' ? 'fifo' : 'lifo',
      )
    },

    recordStates: (phone, body) => recordStates(deps, phone, readStates(body)),
    settings: ({ id }) => phoneSettings(signingKey(phone_key, id)),
    webhooks: ({ id }, address) => phoneWebhooks(id, address),

    async receiveEvent(phone_id, raw, signed) {
      if (names.length === 0 || !isSignedByPhone(signingKey(phone_key, phone_id), raw, signed)) return false
      const phone = known(await touchPhoneById(db, phone_id))
      const body = parseJsonOrRefuse(raw.toString('utf8'))
      const event = at(body, 'event')
      if (event === 'system:ping') await storeHealth(db, phone.id, readHealth(at(body, 'payload')))
      const text = event === 'sms:received' ? readText(body) : undefined
      if (text) await receiveText(deps, phone, text)
      return true
    },
  }
}

function unauthenticated(): Refusal {
  return new Refusal('unauthenticated', 'This token opens nothing.')
}

/** Senders such as operators and banks have names instead of numbers. */
const MAX_NAME_LENGTH = 40

/**
 * Stores a text that was sent to a SIM. The app does not always know the SIM's number, so a number learnt from one text
 * is stored for the next. Without a number the text counts as sent to the carrier, by its name.
 */
async function receiveText(
  { db, takeTexts, default_country }: PhoneApiDeps,
  { id, carrier }: Phone,
  given: GivenText,
): Promise<void> {
  const plan = dialPlan(default_country)
  const recipient = given.recipient === null ? null : (cleanDigits(given.recipient, plan) ?? null)
  const number = await learnNumber(db, id, given.sim, recipient)
  await takeTexts([
    {
      carrier,
      from: cleanDigits(given.from, plan) ?? given.from.slice(0, MAX_NAME_LENGTH),
      to: number ?? carrier,
      text: given.text,
      channel: 'sms',
      received_id: `${id} ${given.id}`,
    },
  ])
}
