import { useSession } from '../session.ts'
import { chosen } from '../text/language.ts'
import { number as numberWords } from '../text/text.ts'
import { withMinus } from '../text/wording.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** An amount in the organisation's currency: two decimals, and up to four where there are some. */
export function Money({ amount, sign = false }: { amount: number; sign?: boolean }) {
  const { organisation } = useSession()
  return <span className="nowrap">{money(amount, organisation.currency, sign)}</span>
}

/** Abbreviated, for overviews: `1.2 M` instead of every decimal. */
export function roundMoney(amount: number, currency: string): string {
  if (Math.abs(amount) < 10_000) return money(amount, currency)
  return withMinus(formatOf(currency, { maximumFractionDigits: 0 }).format(Math.round(amount)))
}

export function money(amount: number, currency: string, sign = false): string {
  const options = {
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
    signDisplay: sign ? 'exceptZero' : 'auto',
  } as const
  return withMinus(formatOf(currency, options).format(amount))
}

function formatOf(currency: string, more: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = JSON.stringify([currency, more])
  const known = formats.get(name)
  if (known) return known
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...more } as const
  const format = new Intl.NumberFormat(chosen.dates, options)
  formats.set(name, format)
  return format
}

/** A number in a field, as the language writes it. */
export function writtenAmount(value: number | undefined): string {
  return value === undefined ? '' : numberWords(value, { useGrouping: false, maximumFractionDigits: 10 })
}

/** What a field of an amount stands for that may be left empty. */
export function amountOrNull(text: string): number | string | null {
  return text.trim() === '' ? null : typedAmount(text)
}

/** What is no number goes out as it was typed, so that the service can say what is wrong with it. */
export function typedAmount(text: string, numbers: string = chosen.numbers): number | string {
  // `1,234.50` in English is `1 234,50` in French. A comma that separates no thousands may be meant as a decimal one.
  const signed = text.trim().replace('\u2212', '-')
  const has_thousands = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(signed)
  const plain =
    numbers === 'fr' ? signed.replace(/\s/g, '').replace(',', '.') : has_thousands ? signed.replaceAll(',', '') : signed
  const number = Number(plain)
  return Number.isNaN(number) ? text : number
}
