import { useSession } from '../session.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** An amount in the organisation's currency: two decimals, and up to four where there are some. */
export function Money({ amount, sign = false }: { amount: number; sign?: boolean }) {
  const { organisation } = useSession()
  return <span className="nowrap">{money(amount, organisation.currency, sign)}</span>
}

/** For a glance: nobody reads the kobo of a million. */
export function roundMoney(amount: number, currency: string): string {
  return Math.abs(amount) < 10_000 ? money(amount, currency) : money(Math.round(amount), currency).replace(/\.00$/, '')
}

export function money(amount: number, currency: string, sign = false): string {
  const name = `${currency} ${sign}`
  let format = formats.get(name)
  if (!format) {
    format = new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
      maximumFractionDigits: 4,
      signDisplay: sign ? 'exceptZero' : 'auto',
    })
    formats.set(name, format)
  }
  return format.format(amount)
}

/** What is no number goes out as it was typed, so that the service can say what is wrong with it. */
export function typedAmount(text: string): number | string {
  const number = Number(text.replaceAll(',', ''))
  return Number.isNaN(number) ? text : number
}
