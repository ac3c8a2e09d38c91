import { makePageForm, STANDARD_PAGES, type PageForm } from '../../../values/sms/page-form.ts'
import type { TextProfile } from './text-profile.ts'
import { writeUdh } from './udh.ts'

/**
 * The pages of a carrier: the encoder splits by them and the price counts them, so that what is charged is what is sent.
 * `sar` and `payload` leave the header to the SMSC, which writes the usual one.
 */
export function pageFormOf({ alphabet, long }: Pick<TextProfile, 'alphabet' | 'long'>): PageForm {
  const { narrow, wide } = FORMS[alphabet]
  return long === 'udh16' ? wide : narrow
}

const WIDE_HEADER = writeUdh({ reference: 0, total: 1, segment: 1 }, true).length

const GSM = { narrow: STANDARD_PAGES, wide: makePageForm({ header_octets: WIDE_HEADER }) }

// A text in Latin-1 or ASCII is turned into GSM by the SMSC, and is as long as it is there. Of GSM's characters Latin-1
// lacks some, ASCII many; and what is not in GSM goes as UCS-2, even where Latin-1 could hold it.
const FORMS: Record<TextProfile['alphabet'], { narrow: PageForm; wide: PageForm }> = {
  gsm7: GSM,
  'gsm7-packed': GSM,
  latin1: upTo(0xff),
  ascii: upTo(0x7f),
}

function upTo(highest: number): { narrow: PageForm; wide: PageForm } {
  return { narrow: makePageForm({ highest }), wide: makePageForm({ highest, header_octets: WIDE_HEADER }) }
}
