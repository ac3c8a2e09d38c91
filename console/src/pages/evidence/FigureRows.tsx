import type { EvidenceRowShown } from '../../api-types.ts'
import { t } from '../../text/text.ts'
import type { Metric } from '../analytics/analytics.ts'
import { FigureTable } from '../analytics/FigureTable.tsx'
import { written } from '../analytics/written.ts'
import { cellKey, FIGURES, operatorName } from './evidence.ts'

const METRICS: readonly Metric<EvidenceRowShown>[] = [
  { name: 'submitted', title: t('Submitted'), form: 'count', of: ({ submitted }) => submitted },
  { name: 'rejected', title: t('Rejected'), form: 'count', of: ({ rejected }) => sum(Object.values(rejected)) },
  { name: 'undelivered', title: t('Undelivered'), form: 'count', of: ({ undelivered }) => undelivered },
  ...FIGURES.map(({ name, title, of }): Metric<EvidenceRowShown> => ({ name, title, of, form: 'share' })),
]

type Props = { rows: readonly EvidenceRowShown[]; currency: string; sort: string | undefined }

/** Every figure of each carrier at each operator, in words. */
export function FigureRows({ rows, currency, sort }: Props) {
  return (
    <FigureTable
      label={t('All figures')}
      title={t('Carrier and operator')}
      rows={rows.map((figures) => ({ key: cellKey(figures), name: nameOf(figures), figures }))}
      metrics={METRICS}
      sort={sort}
      nameCell={({ figures }) => (
        <>
          <b>{figures.carrier}</b> <span className="second-line soft">{placeOf(figures)}</span>
        </>
      )}
      cell={({ figures }, metric) => {
        const figure = FIGURES.find(({ name }) => name === metric.name)
        const value = metric.of(figures)
        return figure && value !== undefined ? figure.written(value, currency) : written(metric, value, currency)
      }}
      empty={null}
    />
  )
}

function nameOf(row: EvidenceRowShown): string {
  return `${row.carrier ?? ''} ${placeOf(row)}`
}

function placeOf({ country = '', operator = '' }: EvidenceRowShown): string {
  return operatorName({ country, operator })
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
