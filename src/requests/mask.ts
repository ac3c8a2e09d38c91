import { isRecord } from '../values/record.ts'
import { withoutHalves } from '../values/input/storable.ts'

/** Maximum length of a stored body or answer. */
export const LONGEST_CONTENT = 4_096
const LONGEST_PATH = 500
const MASK = '•••'

/**
 * Fields that hold a secret: a one-time password, a key, a token. Includes `authToken`, `X-Api-Key` and every code not
 * known to be harmless: Twilio's `CustomCode`, and placeholders may have any name.
 */
const SECRET = new RegExp(
  [
    '(?:token|secret|password|passwd|passphrase|pwd|apikey|authorization|signature|credential)s?$',
    '(?:^|[^a-z])(?:pass|pin|t?otp|key)s?$',
    '(?<!(?:country|currency|language|area|post|postal|zip|status|error|short|uni|en|de)[^a-z]?)codes?$',
    // Twilio's placeholder values, as JSON in a string.
    '^(?:content_?variables|template_?custom_?substitutions)$',
  ].join('|'),
)
/** In answers, `code` is the reason of a failed delivery. */
const SECRET_IN_ANSWERS =
  /"(\w*(?:token|secret|password|otp|api_?key|authorization|signature))"\s*:\s*("(?:[^"\\]|\\.)*"?|[^,}\]\s]+)/gi
/** Secrets recognised by their format: API keys, callback secrets, JSON Web Tokens, credentials in URLs. */
const GIVEN_AWAY: readonly (readonly [RegExp, string])[] = [
  [/gg_(live|test)_[0-9A-Za-z]+/g, `gg_$1_${MASK}`],
  [/whsec_[0-9A-Za-z+/=_-]+/g, `whsec_${MASK}`],
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w-]+\.?[\w-]*/g, MASK],
  [/\b(bearer|basic)\s+[\w+/=.~-]+/gi, `$1 ${MASK}`],
  [/:\/\/[^/\s"@]*@/g, `://${MASK}@`],
  [/([?&][\w.-]*(?:token|key|secret|password|passwd|pass|signature|sig|code|otp|pin)=)[^&\s"#]*/gi, `$1${MASK}`],
]

/**
 * Serializes a body as JSON with secrets masked, and stops at the limit: a body of eight megabytes costs no more than
 * its beginning.
 */
export function writeMasked(value: unknown, longest = LONGEST_CONTENT): string {
  const out: Out = { text: '', longest }
  write(out, value)
  return out.text.length > longest ? cut(out.text, longest) : out.text
}

type Out = { text: string; longest: number }

function write(out: Out, value: unknown): void {
  if (out.text.length > out.longest) return
  if (typeof value === 'string') out.text += JSON.stringify(shortened(value, out.longest))
  else if (Array.isArray(value)) writeList(out, value)
  else if (isRecord(value)) writeFields(out, value)
  else out.text += JSON.stringify(value) ?? 'null'
}

function writeList(out: Out, list: readonly unknown[]): void {
  out.text += '['
  for (let n = 0; n < list.length && out.text.length <= out.longest; n += 1) {
    if (n > 0) out.text += ','
    write(out, list[n])
  }
  out.text += ']'
}

function writeFields(out: Out, fields: Readonly<Record<string, unknown>>): void {
  out.text += '{'
  let first = true
  for (const name in fields) {
    if (out.text.length > out.longest) break
    out.text += `${first ? '' : ','}${JSON.stringify(shortened(name, out.longest))}:`
    first = false
    if (isSecret(name)) out.text += `"${MASK}"`
    else write(out, fields[name])
  }
  out.text += '}'
}

/** Cuts a long string before masking it, so that the work is bounded. */
function shortened(text: string, longest: number): string {
  return unveiled(text.length > longest ? cut(text, longest) : text)
}

/** An answer with secrets masked, cut at the limit. Our own JSON escapes no field name. */
export function maskAnswer(text: string): string {
  const begin = text.length > LONGEST_CONTENT ? cut(text, LONGEST_CONTENT) : text
  return storable(unveiled(begin.replace(SECRET_IN_ANSWERS, `"$1":"${MASK}"`)))
}

/** The request path, decoded so that erasure finds numbers in it, with secrets masked. */
export function maskPath(url: string): string {
  const at = url.indexOf('?')
  const path = unveiled(decoded(url.slice(0, at < 0 ? LONGEST_CONTENT : Math.min(at, LONGEST_CONTENT))))
  if (at < 0) return path.length > LONGEST_PATH ? cut(path, LONGEST_PATH) : storable(path)
  const fields = [...new URLSearchParams(url.slice(at + 1, at + 1 + LONGEST_CONTENT))].map(
    ([name, value]) => `${name}=${isSecret(name) ? MASK : unveiled(value)}`,
  )
  const whole = `${path}?${fields.join('&')}`
  return storable(whole.length > LONGEST_PATH ? cut(whole, LONGEST_PATH) : whole)
}

/** The fields of a form or query. */
export function fieldsOf(form: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(form.slice(0, 2 * LONGEST_CONTENT)))
}

function isSecret(name: string): boolean {
  return SECRET.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
}

function unveiled(text: string): string {
  return GIVEN_AWAY.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)
}

/** Never cuts inside a number: erasure would not find half of one. */
function cut(text: string, length: number): string {
  return `${storable(text.slice(0, length).replace(/[0-9][0-9 ().+-]{0,40}$/, ''))}…`
}

function storable(text: string): string {
  return withoutHalves(text).replaceAll('\0', '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
