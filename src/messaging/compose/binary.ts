import { countPages, readBinary } from '../../values/sms/binary-text.ts'
import { STANDARD_PAGES } from '../../values/sms/page-form.ts'
import type { Fault } from '../../values/refusal.ts'
import { MAX_PAGES } from '../../values/sms/sms-text.ts'
import type { Texts, Written } from './texts.ts'

/** What is no text goes as it is, to everybody, and in as many pages wherever it goes. */
export function writeBinaryText(content: string, faults: Fault[]): Texts {
  const binary = readBinary(content)
  const pages = countPages(binary)
  if (pages > MAX_PAGES) {
    const message = `The message is ${pages} pages long; at most ${MAX_PAGES} are sent.`
    faults.push({ field: 'content', message, type: 'string_too_long' })
  }
  const written: Written = {
    pieces: [content],
    urls: [],
    // It has no encoding of a text; the draft says what it is.
    size: { encoding: 'GSM', message_length: binary.data.length, pages },
    asked: [content],
    smart_form: STANDARD_PAGES,
  }
  return { of: () => written, shared: true, longest: written.size }
}
