import type { ReactNode } from 'react'
import { percent as percentOf } from '../text/text.ts'

/** A number that matters, with a line that says of what. Stands in a `<dl className="figures">`. */
export function Figure({
  name,
  value,
  note,
  trend,
}: {
  name: string
  value: ReactNode
  note: ReactNode
  /** A line of its course. */
  trend?: ReactNode
}) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="value">{value}</dd>
      <dd className="soft small">{note}</dd>
      {trend && <dd className="figure-trend">{trend}</dd>}
    </div>
  )
}

/** A dash as long as there is nothing to take a part of. */
export function percent(part: number | undefined): string {
  return part === undefined ? '–' : percentOf(part)
}
