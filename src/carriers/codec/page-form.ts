import { makePageForm, STANDARD_PAGES, type PageForm } from '../../values/sms/page-form.ts'
import { writeUdh } from './udh.ts'

/** How a carrier encodes texts. */
export type TextProfile = {
  /** The meaning of data_coding 0. A text it cannot encode is sent as UCS-2. */
  alphabet: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** How the segments of a long text are numbered; `payload`: the SMSC splits it. */
  long: 'udh8' | 'udh16' | 'sar' | 'payload'
  /** Displayed immediately and not stored. */
  flash?: boolean
}

/**
 * The page sizes of a carrier, used by both encoder and price, so that pages charged are pages sent. With `sar` and
 * `payload` the SMSC adds the header, of the usual size.
 */
export function pageFormOf({ alphabet, long }: Pick<TextProfile, 'alphabet' | 'long'>): PageForm {
  const { narrow, wide } = FORMS[alphabet]
  return long === 'udh16' ? wide : narrow
}

const WIDE_HEADER = writeUdh({ reference: 0, total: 1, segment: 1 }, true).length

const GSM = { narrow: STANDARD_PAGES, wide: makePageForm({ header_octets: WIDE_HEADER }) }

// The SMSC converts Latin-1 and ASCII to GSM, which determines the length. Latin-1 lacks some GSM characters, ASCII many.
// A text that GSM cannot encode is sent as UCS-2, even if Latin-1 could hold it.
const FORMS: Record<TextProfile['alphabet'], { narrow: PageForm; wide: PageForm }> = {
  gsm7: GSM,
  'gsm7-packed': GSM,
  latin1: upTo(0xff),
  ascii: upTo(0x7f),
}

function upTo(highest: number): { narrow: PageForm; wide: PageForm } {
  return { narrow: makePageForm({ highest }), wide: makePageForm({ highest, header_octets: WIDE_HEADER }) }
}
