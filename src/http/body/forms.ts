import { MAX_FORM_FIELDS } from '../../values/input/read-form.ts'
import { Refusal } from '../../values/refusal.ts'

/** RFC 2046 allows a boundary of up to 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const NAME = /;\s*name="([^"]{1,200})"/i
const FILE = /;\s*filename\*?=/i
const LONGEST_HEAD = 1_024
const END_OF_HEAD = '\r\n\r\n'

/** Converts a multipart form to form-encoded text, so that one reader serves both. */
export function readMultipart(body: Buffer, type: string): FormText | undefined {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw unreadable('A multipart form names its boundary.')
  if (body.length === 0) return undefined
  const delimiter = `--${boundary}`
  const fields: string[] = []
  for (let at = body.indexOf(delimiter); ;) {
    if (at < 0) throw unreadable('The multipart form does not end.')
    const begin = at + delimiter.length
    if (body.toString('latin1', begin, begin + 2) === '--') break
    if (fields.length === MAX_FORM_FIELDS) throw unreadable(`A form has at most ${MAX_FORM_FIELDS} fields.`)
    const next = body.indexOf(`\r\n${delimiter}`, begin)
    if (next < 0) throw unreadable('The multipart form does not end.')
    fields.push(fieldOf(body.subarray(begin, next)))
    at = next + 2
  }
  return new FormText(fields.join('&'))
}

function fieldOf(part: Buffer): string {
  const end = part.subarray(0, LONGEST_HEAD).indexOf(END_OF_HEAD)
  const head = end < 0 ? '' : part.toString('utf8', 0, end)
  const [, name] = NAME.exec(head) ?? []
  if (name === undefined) throw unreadable('A part of the multipart form has no name.')
  if (FILE.test(head)) throw unreadable('A part of the multipart form is a file.')
  return `${encoded(Buffer.from(name))}=${encoded(part.subarray(end + END_OF_HEAD.length))}`
}

/** Percent-encodes every octet: another field may name the character set. */
function encoded(octets: Buffer): string {
  return octets.toString('latin1').replace(/[^A-Za-z0-9]/g, (one) => ENCODED[one.charCodeAt(0)] ?? '')
}

const ENCODED = Array.from({ length: 256 }, (_, octet) => `%${octet.toString(16).padStart(2, '0')}`)

function unreadable(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

/** A form within its size limit, not yet decoded: the handler decodes it as text or as octets. */
export class FormText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
