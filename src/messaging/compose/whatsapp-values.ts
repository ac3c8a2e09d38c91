import { isId } from '../../values/id.ts'
import type { Fault } from '../../values/refusal.ts'

/** What keeps a value from being sent. */
export type ValueFault = Omit<Fault, 'field'>

/** One kind of value of a WhatsApp message: how it is written, and what is wrong with it. Meta's limits (docs/whatsapp.md). */
export type ValueKind = { clean?: (value: string) => string; check: (value: string) => ValueFault | undefined }

/** WhatsApp rejects values with line breaks, tabs or more than four consecutive spaces. */
export function oneLine(value: string): string {
  return value.replace(/[\r\n\t]+/g, ' ').replace(/ {4,}/g, '   ')
}

/** A text of up to this many characters; blank ones are rejected. */
export function text(most: number): ValueKind {
  return {
    check(value) {
      if (value === '') return { message: 'it is empty', type: 'string_too_short' }
      if (value.length <= most) return undefined
      return { message: `it has ${value.length} characters, at most ${most} are possible`, type: 'string_too_long' }
    },
  }
}

const MAX_URL = 2_000

export const PARAMETER: ValueKind = { clean: oneLine, check: text(32_768).check }
/** The code of an authentication template. */
export const OTP: ValueKind = { clean: oneLine, check: text(15).check }
export const COUPON = text(15)
export const PAYLOAD = text(128)
export const FILENAME = text(240)
export const PLACE_NAME = text(1_000)
export const LATITUDE = degrees(90)
export const LONGITUDE = degrees(180)

export const LINK: ValueKind = {
  check(value) {
    const fault = text(MAX_URL).check(value)
    if (fault) return fault
    const url = /^https:\/\/[^\s/]\S*$/.test(value) ? URL.parse(value) : null
    return url ? undefined : { message: 'it is not an https address', type: 'url_parsing' }
  },
}

/** The id of a file of ours. */
export const MEDIA_ID: ValueKind = {
  clean: (value) => value.trim().toLowerCase(),
  check: (value) => (isId(value) ? undefined : { message: 'it is not the id of a file', type: 'invalid' }),
}

/** The end of a URL that begins with `prefix`. */
export function urlEnd(prefix: string): ValueKind {
  return {
    check(value) {
      const fault = text(MAX_URL - prefix.length).check(value)
      if (fault) return fault
      return /\s/.test(value) ? { message: 'a URL has no spaces', type: 'url_parsing' } : undefined
    },
  }
}

function degrees(most: number): ValueKind {
  return {
    check(value) {
      if (/^[+-]?\d{1,3}(\.\d{1,20})?$/.test(value) && Math.abs(Number(value)) <= most) return undefined
      return { message: `it is not a number from -${most} to ${most}`, type: 'invalid' }
    },
  }
}
