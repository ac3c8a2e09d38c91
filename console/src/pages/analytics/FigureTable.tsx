import type { ReactNode } from 'react'
import { changeQuery } from '../../router.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import type { Metric } from './analytics.ts'

type Row<F> = { key: string; name: string; figures: F }

/** Rows of figures, sorted by a click on a title. */
export function FigureTable<F, R extends Row<F>>({
  label,
  title,
  rows,
  last,
  metrics,
  sort,
  nameCell,
  cell,
  empty,
}: {
  label: string
  /** Of the column of names. */
  title: string
  rows: readonly R[]
  /** Stands behind the others, however they are sorted. */
  last?: R | undefined
  metrics: readonly Metric<F>[]
  /** The name of a metric, or `name`, and the order; the first metric, descending. */
  sort: string | undefined
  nameCell: (row: R) => ReactNode
  cell: (row: R, metric: Metric<F>) => ReactNode
  empty: ReactNode
}) {
  const [sorted_by = metrics[0]?.name ?? '', order = 'descending'] = sort?.split(' ') ?? []
  const sorted = rows.toSorted(comparison(metrics, sorted_by, order === 'ascending' ? 1 : -1))
  const sorting = (name: string) => ({
    order:
      sorted_by === name
        ? order === 'ascending'
          ? ('ascending' as const)
          : ('descending' as const)
        : ('none' as const),
    sort: () =>
      changeQuery({ sort: `${name} ${sorted_by === name && order !== 'ascending' ? 'ascending' : 'descending'}` }),
  })
  return (
    <Table
      label={label}
      rows={last ? [...sorted, last] : sorted}
      rowKey={({ key }) => key}
      columns={[
        { title, sorted: sorting('name'), cell: nameCell },
        ...metrics.map((metric): Column<R> => ({
          title: metric.title,
          number: true,
          sorted: sorting(metric.name),
          cell: (row) => cell(row, metric),
        })),
      ]}
      empty={empty}
    />
  )
}

function comparison<F>(
  metrics: readonly Metric<F>[],
  sorted_by: string,
  sign: number,
): (a: Row<F>, b: Row<F>) => number {
  const metric = metrics.find(({ name }) => name === sorted_by)
  if (!metric) return (a, b) => sign * a.name.localeCompare(b.name)
  const value = ({ figures }: Row<F>): number => metric.of(figures) ?? -Infinity
  return (a, b) => sign * Math.sign(value(a) - value(b) || 0) || a.name.localeCompare(b.name)
}
