import { encodeGsm } from '../../../carriers/codec/gsm7.ts'
import { type Concatenation, readUdh, TEXT_ELEMENTS } from '../../../carriers/codec/udh.ts'
import { isStorable } from '../../../values/input/storable.ts'
import { decodeText, decodeUtf16 } from '../../../values/octets/charset.ts'
import { type Fields, textOf } from '../../../values/octets/fields.ts'
import { countPages, isNumbered, readTags, writeBinary } from '../../../values/sms/binary-text.ts'

/** The content: a text, or binary data if marked so. */
export type Content = {
  content: string
  is_binary: boolean
  /** One part of a long text, to be joined with the others. */
  part?: Part
}

/** Parts may split a surrogate pair. */
export type Part = { text: string; concatenation: Concatenation }

const CODINGS = { text: '0', octets: '1', unicode: '2' } as const
/** Bits of the data coding scheme, as Kannel sets them: with a message class, UCS-2 is in another group. */
const WIDTH_BITS = 2
const OF_CLASS = 0xf0
const UNICODE_OF_CLASS = 0x10
const MOST_HEADER = 140

/**
 * Decodes `text` by `coding`, by default 7-bit, or 8-bit with a header (`udh`). A text without a header, or whose
 * header only numbers its parts, is encoded by us; anything else is sent octet by octet.
 */
export function readContent(fields: Fields): Content {
  const header = readHeader(fields)
  const coding = textOf(fields, 'coding') ?? (header.length > 0 ? CODINGS.octets : CODINGS.text)
  if (!Object.values<string>(CODINGS).includes(coding)) throw new KannelFault('Coding field misformed, rejected')
  if (coding !== CODINGS.octets && header.length === 0) return { content: readText(fields, coding), is_binary: false }
  const octets = readOctets(fields, coding, header)
  const concatenation = coding === CODINGS.octets || !isOfText(fields, header) ? null : readUdh(header).concatenation
  if (!concatenation) return octets
  const text = readPart(fields, coding)
  return concatenation.total === 1 ? { content: text, is_binary: false } : { ...octets, part: { text, concatenation } }
}

function readOctets(fields: Fields, coding: string, header: Buffer): Content {
  const data = readData(fields, coding)
  if (data.length === 0 && header.length === 0) throw new KannelFault('Empty text not allowed, rejected')
  const binary = { data_coding: (Number(coding) << WIDTH_BITS) | readClass(fields, coding), header, data }
  if (isNumbered(binary)) {
    if (!readUdh(header).concatenation) throw new KannelFault('UDH field misformed, rejected')
    if (countPages(binary) > 1) throw new KannelFault('UDH field is too long, rejected')
  }
  return { content: writeBinary(binary), is_binary: true }
}

/** A message class, like ports, is meant for the handset: re-encoding the joined text would lose it. */
function isOfText(fields: Fields, header: Buffer): boolean {
  return textOf(fields, 'mclass') === undefined && (readTags(header) ?? []).every((tag) => TEXT_ELEMENTS.has(tag))
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
  const decoded = decodeText(octets, charsetOf(fields, coding))
  if (decoded === undefined) throw new KannelFault('Charset or body misformed, rejected')
  return decoded
}

/** Kannel splits UTF-16 by octets, even inside a character. */
function readPart(fields: Fields, coding: string): string {
  const text = decodeUtf16(fields.get('text') ?? NOTHING, charsetOf(fields, coding))
  if (text === undefined || text === '') return readText(fields, coding)
  const inside = text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
  if (!isStorable(inside)) throw new KannelFault('Charset or body misformed, rejected')
  return text
}

function charsetOf(fields: Fields, coding: string): string {
  return textOf(fields, 'charset') ?? (coding === CODINGS.unicode ? 'UTF-16BE' : 'UTF-8')
}

/** The octets after the header, or all of them. */
function readData(fields: Fields, coding: string): Buffer {
  const octets = fields.get('text') ?? NOTHING
  if (coding === CODINGS.octets || octets.length === 0) return octets
  const text = readPart(fields, coding)
  if (coding === CODINGS.unicode) return Buffer.from(text, 'utf16le').swap16()
  const septets = encodeGsm(text)
  if (!septets) throw new KannelFault('Charset or body misformed, rejected')
  return septets
}

/** `mclass`: 0 is displayed immediately, 1 is for the handset, 2 for the SIM card, 3 for external equipment. */
function readClass(fields: Fields, coding: string): number {
  const given = textOf(fields, 'mclass')
  if (given === undefined) return 0
  if (!/^[0-3]$/.test(given)) throw new KannelFault('MClass field misformed, rejected')
  return (coding === CODINGS.unicode ? UNICODE_OF_CLASS : OF_CLASS) | Number(given)
}

/** An error with Kannel's sentence. */
export class KannelFault extends Error {
  readonly status: number

  constructor(sentence: string, status = 400) {
    super(sentence)
    this.name = 'KannelFault'
    this.status = status
  }
}
