import { readSmppAddress } from '../callbacks/formats/address.ts'
import { readEvent, textOf, type StoredEvent } from '../callbacks/formats/event.ts'
import type { OutboxRow } from '../callbacks/outbox/store.ts'
import { encodeText } from '../carriers/codec/encode-text.ts'
import { ESM, makePdu, TAG, type DeliverSm } from '../carriers/codec/pdu.ts'
import type { Alphabet } from '../smpp-accounts/schema.ts'

/**
 * The deliver_sm of an outbox row: a report for each segment that requested one, or the segments of a received text.
 * `beginnings` holds the first characters of the reported messages, as far as known.
 */
export function writeDelivery(
  { id, address, body }: Omit<OutboxRow, 'attempts'>,
  alphabet: Alphabet,
  beginnings: ReadonlyMap<string, string>,
): DeliverSm[] {
  const event = readEvent(body)
  if (event.type === 'text.received') return writeText(id, event, alphabet)
  const { segments, user_references } = readSmppAddress(address)
  const message_id = textOf(event.data, 'id')
  const ids = segments.length === 0 ? [message_id] : segments.map((segment) => segmentId(message_id, segment))
  const quoted = quote(beginnings.get(message_id) ?? '')
  return ids.map((one, n) => writeReport(one, event, quoted, user_references[n] ?? null))
}

/** The message_id of a segment: the text's id and the segment's number. */
export function segmentId(id: string, segment: number): string {
  return `${id}-${segment}`
}

/** The reported message; undefined for a received text. */
export function reportedMessage({ body }: Pick<OutboxRow, 'body'>): string | undefined {
  const { type, data } = readEvent(body)
  return type === 'text.received' ? undefined : textOf(data, 'id')
}

/** Characters of the text repeated in a report (SMPP 3.4, appendix B). */
export const QUOTED_CHARACTERS = 20

/** Only characters with the same code in ASCII and GSM: clients decode reports as either. */
function quote(beginning: string): string {
  const characters = Array.from(beginning).slice(0, QUOTED_CHARACTERS)
  return characters.map((one) => (/[\r\n]/.test(one) ? ' ' : SAME_IN_ALL.test(one) ? one : '?')).join('')
}

const SAME_IN_ALL = /^[ !"#%&'()*+,\-./0-9:;<=>?A-Za-z]$/

/** The stat and message_state (SMPP 3.4, 5.2.28) of each final status. */
export const STATES: Record<string, { word: string; state: number }> = {
  delivered: { word: 'DELIVRD', state: 2 },
  expired: { word: 'EXPIRED', state: 3 },
  canceled: { word: 'DELETED', state: 4 },
  undelivered: { word: 'UNDELIV', state: 5 },
  rejected: { word: 'REJECTD', state: 8 },
  failed: { word: 'REJECTD', state: 8 },
}
const UNKNOWN = { word: 'UNKNOWN', state: 7 }

function writeReport(
  message_id: string,
  { created_datetime, data }: StoredEvent,
  quoted: string,
  user_reference: number | null,
): DeliverSm {
  const status = textOf(data, 'status')
  const { word, state } = STATES[status] ?? UNKNOWN
  const dates = `submit date:${minute(submittedAt(message_id))} done date:${minute(new Date(created_datetime))}`
  const dlvrd = status === 'delivered' ? '001' : '000'
  const words = `id:${message_id} sub:001 dlvrd:${dlvrd} ${dates} stat:${word} err:${errorOf(data)} text:${quoted}`
  return makePdu('deliver_sm', {
    ...addresses(textOf(data, 'recipient'), textOf(data, 'sender_id')),
    esm_class: ESM.receipt,
    short_message: Buffer.from(words, 'latin1'),
    tlvs: [
      { tag: TAG.receipted_message_id, value: Buffer.from(`${message_id}\0`, 'latin1') },
      { tag: TAG.message_state, value: Buffer.from([state]) },
      ...(user_reference === null ? [] : [{ tag: TAG.user_message_reference, value: twoOctets(user_reference) }]),
    ],
  })
}

function twoOctets(number: number): Buffer {
  return Buffer.from([number >> 8, number & 0xff])
}

/** The id is a UUIDv7, which begins with its time. */
function submittedAt(message_id: string): Date {
  return new Date(Number.parseInt(message_id.slice(0, 13).replace('-', ''), 16))
}

/** `err` has three characters; longer codes are replaced. */
function errorOf(data: StoredEvent['data']): string {
  const code = textOf(data, 'code')
  if (/^[0-9a-z]{3}$/i.test(code)) return code
  return textOf(data, 'status') === 'delivered' ? '000' : '001'
}

function writeText(id: string, { data }: StoredEvent, alphabet: Alphabet): DeliverSm[] {
  const reference = Number.parseInt(id.slice(-4), 16)
  const segments = encodeText(textOf(data, 'text'), { alphabet, long: 'udh8' }, reference)
  return segments.map((segment) =>
    makePdu('deliver_sm', { ...addresses(textOf(data, 'from'), textOf(data, 'to')), ...segment }),
  )
}

/** TON and NPI of a number, a name or a short code. */
function addresses(from: string, to: string) {
  const source = numberOf(from)
  const destination = numberOf(to)
  return {
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.address,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destination.address,
  }
}

const MAX_ADDRESS = 20

function numberOf(given: string): { ton: number; npi: number; address: string } {
  const address = given.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_ADDRESS)
  if (/^[0-9]{7,15}$/.test(address)) return { ton: 1, npi: 1, address }
  return { ton: /[^0-9]/.test(address) ? 5 : 0, npi: 0, address }
}

function minute(moment: Date): string {
  return moment.toISOString().slice(2, 16).replace(/\D/g, '')
}
