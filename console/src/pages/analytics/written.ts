import { number } from '../../text/text.ts'
import { percent } from '../../ui/Figure.tsx'
import { money } from '../../ui/Money.tsx'
import type { Metric } from './analytics.ts'

/** A value as a figure is written; a dash where there is none. */
export function written(metric: Pick<Metric, 'form'>, value: number | undefined, currency: string): string {
  if (value === undefined) return '–'
  if (metric.form === 'share') return percent(value)
  if (metric.form === 'money') return money(value, currency)
  return number(value)
}
