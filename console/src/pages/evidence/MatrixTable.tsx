import type { HonestyRow } from '../../api-types.ts'
import { plural, t } from '../../text/text.ts'
import { Sparkline } from '../../ui/Sparkline.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import { HonestyCell } from './Honesty.tsx'
import { operatorName, type Cell, type EvidenceFigure, type Matrix } from './evidence.ts'

type Row = Matrix['rows'][number]
type Props = {
  figure: EvidenceFigure
  matrix: Matrix
  currency: string
  /** By carrier, once it is read. */
  honesty: ReadonlyMap<string, HonestyRow> | undefined
}

/** Carriers by operators. Colours repeat what the cells say in words. */
export function MatrixTable({ figure, matrix: { columns, rows }, currency, honesty }: Props) {
  const column = (title: string, cellOf: (row: Row) => Cell | undefined): Column<Row> => ({
    title,
    cell: (row) => <MatrixCell figure={figure} cell={cellOf(row)} currency={currency} />,
  })
  return (
    <Table
      label={t('{figure} by carrier and operator', { figure: figure.title })}
      rows={rows}
      rowKey={({ carrier }) => carrier}
      columns={[
        {
          title: t('Carrier and its reports'),
          cell: ({ carrier }) => (
            <div>
              <b>{carrier}</b>
              <div>
                <HonestyCell row={honesty?.get(carrier)} />
              </div>
            </div>
          ),
        },
        column(t('All operators'), ({ all }) => all),
        ...columns.map((operator, n) => column(operatorName(operator), ({ cells }) => cells[n])),
      ]}
      empty={null}
    />
  )
}

function MatrixCell({ figure, cell, currency }: { figure: EvidenceFigure; cell: Cell | undefined; currency: string }) {
  if (!cell) {
    return (
      <span className="soft">
        –<span className="unseen">{t('no messages')}</span>
      </span>
    )
  }
  const { value, standing, trend, row } = cell
  const written = (one: number) => figure.written(one, currency)
  const [first] = trend
  const last = trend.at(-1)
  return (
    <div className={`evidence-cell ${standing?.tone ?? ''}`}>
      <div className="evidence-value">
        <b>{value === undefined ? '–' : written(value)}</b>
        {standing && value !== undefined && (
          <span className="small">
            {standing.is_best ? t('best||a carrier') : figure.apart(value, standing.best, currency)}
          </span>
        )}
      </div>
      <div className="soft small">{plural(row.submitted, '{n} message', '{n} messages')}</div>
      <Sparkline values={trend} />
      {first !== undefined && last !== undefined && trend.length > 1 && (
        <span className="unseen">{t('from {first} to {last}', { first: written(first), last: written(last) })}</span>
      )}
    </div>
  )
}
