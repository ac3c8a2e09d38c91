import { number, percentChange, t } from '../text/text.ts'

/** How much more or less than before: in per cent, of shares in points. Nothing where there was nothing. */
export function change(
  metric: { form: 'count' | 'share' | 'money' },
  now: number | undefined,
  before: number | undefined,
): string {
  if (now === undefined || before === undefined) return ''
  if (metric.form === 'share') return t('{n} points||per cent', { n: signed((now - before) * 100) })
  return before === 0 ? '' : percentChange((now - before) / before)
}

function signed(value: number): string {
  return number(value, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
}
