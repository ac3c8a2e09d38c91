import { encodeGsm } from '../../../carriers/smpp/codec/gsm7.ts'
import { countPages, isNumbered, readTags, writeBinary } from '../../../values/sms/binary-text.ts'
import { KannelFault } from './fault.ts'
import { decodeText, textOf, type Fields } from './query.ts'

/** What is to be sent: a text, or where that is said octets that are none, as they are kept. */
export type Content = { content: string; is_binary: boolean }

const CODINGS = { text: '0', octets: '1', unicode: '2' } as const
/** Bits of the data coding scheme, as Kannel sets them: with a class UCS-2 is in another group than the others. */
const WIDTH_BITS = 2
const OF_CLASS = 0xf0
const UNICODE_OF_CLASS = 0x10
const MOST_HEADER = 140

/**
 * Reads `text` by `coding`, which is 7-bit unless there is a header (`udh`): then it is 8-bit. A text without a header is
 * ours to encode; anything else goes octet by octet.
 */
export function readContent(fields: Fields): Content {
  const header = readHeader(fields)
  const coding = textOf(fields, 'coding') ?? (header.length > 0 ? CODINGS.octets : CODINGS.text)
  if (!Object.values<string>(CODINGS).includes(coding)) throw new KannelFault('Coding field misformed, rejected')
  if (coding !== CODINGS.octets && header.length === 0) return { content: readText(fields, coding), is_binary: false }
  const data = readData(fields, coding)
  if (data.length === 0 && header.length === 0) throw new KannelFault('Empty text not allowed, rejected')
  const binary = { data_coding: (Number(coding) << WIDTH_BITS) | readClass(fields, coding), header, data }
  if (isNumbered(binary) && countPages(binary) > 1) throw new KannelFault('UDH field is too long, rejected')
  return { content: writeBinary(binary), is_binary: true }
}

const NOTHING = Buffer.alloc(0)

function readHeader(fields: Fields): Buffer {
  const header = fields.get('udh') ?? NOTHING
  if (header.length === 0) return header
  if (header.length > MOST_HEADER) throw new KannelFault('UDH field is too long, rejected')
  if (!readTags(header)) throw new KannelFault('UDH field misformed, rejected')
  return header
}

function readText(fields: Fields, coding: string): string {
  const octets = fields.get('text') ?? NOTHING
  if (octets.length === 0) throw new KannelFault('Empty text not allowed, rejected')
  const charset = textOf(fields, 'charset') ?? (coding === CODINGS.unicode ? 'UTF-16BE' : 'UTF-8')
  const decoded = decodeText(octets, charset)
  if (decoded === undefined) throw new KannelFault('Charset or body misformed, rejected')
  return decoded
}

/** What goes behind a header, or as it is. */
function readData(fields: Fields, coding: string): Buffer {
  const octets = fields.get('text') ?? NOTHING
  if (coding === CODINGS.octets || octets.length === 0) return octets
  const text = readText(fields, coding)
  if (coding === CODINGS.unicode) return Buffer.from(text, 'utf16le').swap16()
  const septets = encodeGsm(text)
  if (!septets) throw new KannelFault('Charset or body misformed, rejected')
  return septets
}

/** `mclass`: 0 shows at once, 1 is for the handset, 2 for the SIM card, 3 for what is behind it. */
function readClass(fields: Fields, coding: string): number {
  const given = textOf(fields, 'mclass')
  if (given === undefined) return 0
  if (!/^[0-3]$/.test(given)) throw new KannelFault('MClass field misformed, rejected')
  return (coding === CODINGS.unicode ? UNICODE_OF_CLASS : OF_CLASS) | Number(given)
}
