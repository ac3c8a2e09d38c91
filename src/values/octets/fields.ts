export type Fields = Map<string, Buffer>

/** Fields beyond this number are ignored. */
const MOST_FIELDS = 100

/** The fields of a query or form as octets, because another field names the charset of the text. */
export function readOctets(encoded: string): Fields {
  const fields: Fields = new Map()
  for (const pair of encoded.split('&', MOST_FIELDS)) {
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    const key = octetsOf(name).toString('utf8').toLowerCase()
    if (key !== '' && !fields.has(key)) fields.set(key, octetsOf(value))
  }
  return fields
}

function octetsOf(encoded: string): Buffer {
  const bytes = Buffer.from(encoded.replaceAll('+', ' '), 'utf8')
  let end = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const hex = bytes[at] === PERCENT ? bytes.toString('latin1', at + 1, at + 3) : ''
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      bytes[end++] = Number.parseInt(hex, 16)
      at += 2
    } else bytes[end++] = bytes[at]!
  }
  return bytes.subarray(0, end)
}

const PERCENT = 0x25

/** The first of these fields that is not empty, as text. */
export function textOf(fields: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = fields.get(name)?.toString('utf8').trim()
    if (value) return value
  }
  return undefined
}
