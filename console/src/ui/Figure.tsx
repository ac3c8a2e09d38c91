import type { ReactNode } from 'react'
import { number, t } from '../text/text.ts'

/** A number that matters, with a line that says of what. Stands in a `<dl className="figures">`. */
export function Figure({ name, value, note }: { name: string; value: ReactNode; note: ReactNode }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="value">{value}</dd>
      <dd className="soft small">{note}</dd>
    </div>
  )
}

/** A dash as long as there is nothing to take a part of. */
export function percent(part: number | undefined): string {
  if (part === undefined) return '–'
  return t('{n} %', { n: number(part * 100, { maximumFractionDigits: 1 }) })
}
