import { measureText, PART_END, UNITS, type SmsText } from './sms-text.ts'

export type SmsParts = { encoding: SmsText['encoding']; parts: string[] }

/**
 * The parts in order: joined they are the text again, no escape or surrogate pair is split, and there are as many as
 * `measureText` says pages. Only with `wide_reference`, a header that numbers the parts under 16 bits instead of 8,
 * each carries a unit less, so that a text may need a part more than it has pages.
 */
export function splitText(text: string, { wide_reference = false }: { wide_reference?: boolean } = {}): SmsParts {
  const { encoding, message_length } = measureText(text)
  const { single, part } = UNITS[encoding]
  if (message_length <= single) return { encoding, parts: [text] }
  const units = wide_reference ? part - 1 : part
  const parts: string[] = []
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = PART_END[encoding](text, start, units)
    parts.push(text.slice(start, end))
  }
  return { encoding, parts }
}
