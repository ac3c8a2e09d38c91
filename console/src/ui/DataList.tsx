import type { ReactNode } from 'react'

/** Names and values, one below the other. A value of `undefined` or `''` leaves the line out. */
export function DataList({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="data">
      {items
        .filter(([, value]) => value !== undefined && value !== '' && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
