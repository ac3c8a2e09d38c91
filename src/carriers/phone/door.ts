import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { Refusal } from '../../values/refusal.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import type { TakeReports, TakeTexts } from '../message-carrier.ts'
import { at, words } from '../vendor-words.ts'
import { carrierQueue } from './calls.ts'
import { textSeal } from './hand-out.ts'
import { takeMessages } from './message-store.ts'
import { noteNews } from './news.ts'
import { readHealth, readName, readSims, readStates, readText } from './read-calls.ts'
import { receiveText } from './received.ts'
import type { PhoneSettings } from './schema.ts'
import {
  forgetStillborn,
  insertPhone,
  noteHealth,
  readPairing,
  replaceSims,
  seePhone,
  seePhoneById,
  type Phone,
} from './store.ts'
import { isSameSecret } from '../../values/secrets/same-secret.ts'
import { parseJsonOrRefuse } from '../../values/input/parse-json.ts'
import { hashPhoneToken, isSignedByPhone, newPhoneToken, pairingToken, signingKey, type PhoneKey } from './tokens.ts'
import { phoneSettings, phoneWebhooks, writeMessages } from './wire.ts'

export type DoorDeps = {
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

/** What the app on a phone may ask of us. Who does not know a token is refused, and told nothing. */
export type PhoneDoor = {
  /** Whether any carrier is made of phones. */
  is_open: boolean
  register(token: string, body: unknown, app: unknown): Promise<{ id: string; token: string; login: string }>
  /** Whose token it is. */
  enter(token: string): Promise<Phone>
  update(phone: Phone, body: unknown): Promise<void>
  pull(phone: Phone, order: unknown): Promise<object[]>
  note(phone: Phone, body: unknown): Promise<void>
  settings(phone: Phone): object
  webhooks(phone: Phone, address: string): object[]
  /** What happened on the phone, signed by it; false when it is not. Resolves once it is stored. */
  take(phone_id: string, raw: Buffer, signed: { signature: unknown; timestamp: unknown }): Promise<boolean>
}

/** A carrier of more is several carriers. */
const MOST_PHONES = 100

export function makePhoneDoor(deps: DoorDeps, carriers: readonly PhoneSettings[]): PhoneDoor {
  const { db, phone_key } = deps
  const names = carriers.map(({ name }) => name)

  async function carrierOf(token: string): Promise<string> {
    for (const carrier of names) {
      if (isSameSecret(token, pairingToken(phone_key, carrier, await readPairing(db, carrier)))) return carrier
    }
    throw strangers()
  }

  function known(phone: Phone | undefined): Phone {
    if (!phone || !names.includes(phone.carrier)) throw strangers()
    return phone
  }

  return {
    is_open: names.length > 0,
    async register(given, body, app) {
      const carrier = await carrierOf(given.trim().toLowerCase())
      const token = newPhoneToken()
      const token_hash = hashPhoneToken(token)
      if (!token_hash) throw new Error('a new token does not look like one')
      const id = newId()
      const phone = { id, carrier, name: readName(body), app: words(app) ?? '', token_hash }
      await transaction(db, async (tx) => {
        await forgetStillborn(tx, carrier)
        if (!(await insertPhone(tx, phone, MOST_PHONES))) {
          throw new Refusal('conflict', `There are ${MOST_PHONES} phones already; forget some first.`)
        }
        await replaceSims(tx, id, readSims(body) ?? [{ sim: 0, operator: null, number_end: null }])
      })
      deps.log.info({ carrier, phone: id, name: phone.name }, 'a phone has joined')
      return { id, token, login: carrier }
    },
    async enter(token) {
      const hash = hashPhoneToken(token)
      return known(hash && (await seePhone(db, hash)))
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
    note: (phone, body) => noteNews(deps, phone, readStates(body)),
    settings: ({ id }) => phoneSettings(signingKey(phone_key, id)),
    webhooks: ({ id }, address) => phoneWebhooks(id, address),
    async take(phone_id, raw, signed) {
      if (names.length === 0 || !isSignedByPhone(signingKey(phone_key, phone_id), raw, signed)) return false
      const phone = known(await seePhoneById(db, phone_id))
      const body = parseJsonOrRefuse(raw.toString('utf8'))
      const event = at(body, 'event')
      if (event === 'system:ping') await noteHealth(db, phone.id, readHealth(at(body, 'payload')))
      const text = event === 'sms:received' ? readText(body) : undefined
      if (text) await receiveText(deps, phone, text)
      return true
    },
  }
}

function strangers(): Refusal {
  return new Refusal('unauthenticated', 'This token opens nothing.')
}
