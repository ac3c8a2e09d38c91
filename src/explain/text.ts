import { codePointOf, inGsm } from '../messaging/compose/estimate.ts'
import { present } from '../values/record.ts'
import { ONE_PAGE, type PageForm } from '../values/sms/page-form.ts'
import { lookAlike } from '../values/sms/smart-encoding.ts'
import { foreignCharacters, measureText } from '../values/sms/sms-text.ts'
import { MAX_NAMED, type ExplainedText } from './schema.ts'

export type ChargedText = {
  /** Null: not stored any more. */
  text: string | null
  /** As charged. */
  pages: number
  page_form: PageForm
  is_binary: boolean
  /** The encoding that was stored, where it is certainly that of this text. */
  encoding?: 'GSM' | 'UCS-2' | undefined
}

/** The encoding and the pages of a text, and the characters that forced UCS-2. */
export function explainText({ text, pages, page_form, is_binary, encoding }: ChargedText): ExplainedText {
  const is_stored = text !== null
  if (is_binary) return { encoding: 'binary', pages, is_stored }
  if (page_form === ONE_PAGE) return { encoding: 'whatsapp', pages, is_stored }
  if (!is_stored) return { ...present('encoding', encoding), pages, is_stored }
  const size = measureText(text, page_form)
  const units = page_form.units[size.encoding]
  return {
    encoding: size.encoding,
    message_length: size.message_length,
    pages,
    page_size: size.pages === 1 ? units.single : units.segment,
    ...(size.pages === pages ? {} : { pages_now: size.pages }),
    ...(size.encoding === 'UCS-2' ? forcedBy(text, page_form) : {}),
    is_stored,
  }
}

function forcedBy(text: string, page_form: PageForm): Pick<ExplainedText, 'gsm_pages' | 'forcing_characters'> {
  const foreign = [...foreignCharacters(text, page_form)]
  return {
    gsm_pages: measureText(inGsm(text, page_form), page_form).pages,
    forcing_characters: foreign.slice(0, MAX_NAMED).map(([character, positions]) => ({
      character,
      code_point: codePointOf(character),
      position: positions[0] ?? 0,
      occurrences: positions.length,
      ...present('look_alike', lookAlike(character)),
    })),
  }
}
