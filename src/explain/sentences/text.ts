import type { ExplainedText } from '../schema.ts'
import { say, type Values } from './say.ts'

/** How the text became pages. */
export function ofText(text: ExplainedText): string[] {
  const { encoding, message_length: length = 0, pages, page_size: size = 0, gsm_pages, pages_now } = text
  if (encoding === 'whatsapp') return [say('WhatsApp has no pages: a message is charged as one.')]
  if (encoding === 'binary') {
    return [
      pages === 1
        ? say('The content is binary, and is charged as 1 page.')
        : say('The content is binary, and is charged as {pages} pages.', { pages }),
    ]
  }
  if (!text.is_stored) return ofRemovedText(text)
  const forcing = text.forcing_characters ?? []
  const shown = pages_now ?? pages
  const values = { length, size, pages: shown }
  const is_gsm = encoding === 'GSM'
  const lengths =
    shown === 1
      ? say('The text has length {length}: 1 page, which holds {size}.', values)
      : say('The text has length {length}: {pages} pages of up to {size} each.', values)
  return [
    is_gsm
      ? say('All characters of the text are in the GSM alphabet.')
      : forcing.length === 1
        ? say('The character {characters} is not in the GSM alphabet, so the text is sent in UCS-2.', named(forcing))
        : say('The characters {characters} are not in the GSM alphabet, so the text is sent in UCS-2.', named(forcing)),
    lengths,
    ...(gsm_pages === undefined || gsm_pages >= shown ? [] : [ofGsmPages(gsm_pages)]),
    ...(pages_now === undefined
      ? []
      : [say('That is by the present page size of the route; it was charged as {pages}.', { pages })]),
  ]
}

function ofGsmPages(pages: number): string {
  return pages === 1
    ? say('With GSM characters only it would be 1 page.')
    : say('With GSM characters only it would be {pages} pages.', { pages })
}

function named(characters: NonNullable<ExplainedText['forcing_characters']>): Values {
  return { characters: characters.map(({ character, code_point }) => `${character} (${code_point})`).join(', ') }
}

function ofRemovedText({ encoding, pages }: ExplainedText): string[] {
  return [
    pages === 1
      ? say('The text is not stored any more; it was charged as 1 page.')
      : say('The text is not stored any more; it was charged as {pages} pages.', { pages }),
    encoding === undefined
      ? say('Its encoding is unknown.')
      : encoding === 'GSM'
        ? say('Its encoding was GSM.')
        : say('Its encoding was UCS-2; which character forced it is unknown.'),
  ]
}
