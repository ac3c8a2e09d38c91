import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { change } from '../../ui/change.ts'
import { deliveryWords } from '../../ui/delivery-words.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import {
  DIMENSIONS,
  metricsOf,
  valueName,
  type By,
  type Figures,
  type Metric,
  type Report,
  type Tab,
} from './analytics.ts'
import { written } from './written.ts'

type Row = {
  key: string
  name: string
  value?: string
  /** What to do about it. */
  advice?: string | undefined
  figures: Figures
  previous: Figures | undefined
}

/** The values of a dimension, sorted as one likes; a click draws one of them. */
export function ValueTable({ report, by, tab, sort }: { report: Report; by: By; tab: Tab; sort: string | undefined }) {
  const metrics = metricsOf(tab, by)
  const [sorted_by = metrics[0]?.name ?? '', order = 'descending'] = sort?.split(' ') ?? []
  const rows = (report.values ?? [])
    .map(({ value, name, description, advice, previous, ...figures }): Row => {
      const words = valueName(by, value, description === undefined ? name : deliveryWords(description))
      return { key: `=${value}`, name: words, value, advice: advice && deliveryWords(advice), figures, previous }
    })
    .filter(({ figures }) => tab === 'messages' || (figures.otp?.requested ?? 0) > 0)
  const sorted = rows.toSorted(comparison(metrics, sorted_by, order === 'ascending' ? 1 : -1))
  if (report.other) {
    const { previous, ...figures } = report.other
    sorted.push({ key: 'other', name: t('All others'), figures, previous })
  }
  const title = (name: string) => ({
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
      label={DIMENSIONS[by].heading}
      rows={sorted}
      rowKey={({ key }) => key}
      columns={[
        {
          title: DIMENSIONS[by].title,
          sorted: title('name'),
          cell: ({ name, value, advice }) =>
            value === undefined ? (
              name
            ) : (
              <>
                <button type="button" className="analytics-value" onClick={() => changeQuery({ value: `=${value}` })}>
                  {name}
                </button>
                {by === 'error' && (
                  <span className="soft small second-line">
                    {name === value ? advice : [t('Code {code}', { code: value }), advice].filter(Boolean).join(': ')}
                  </span>
                )}
              </>
            ),
        },
        ...metrics.map((metric): Column<Row> => ({
          title: metric.title,
          number: true,
          sorted: title(metric.name),
          cell: ({ figures, previous }) => (
            <>
              {written(metric, metric.of(figures), report.currency)}
              {previous && (
                <span className="soft small second-line">
                  {' '}
                  {change(metric, metric.of(figures), metric.of(previous))}
                </span>
              )}
            </>
          ),
        })),
      ]}
      empty={
        <Empty title={tab === 'otp' ? t('No one-time passwords yet.') : t('There is nothing to group by.')}>
          {t('Choose other days.')}
        </Empty>
      }
    />
  )
}

function comparison(metrics: readonly Metric[], sorted_by: string, sign: number): (a: Row, b: Row) => number {
  const metric = metrics.find(({ name }) => name === sorted_by)
  if (!metric) return (a, b) => sign * a.name.localeCompare(b.name)
  return (a, b) => sign * ((metric.of(a.figures) ?? -1) - (metric.of(b.figures) ?? -1)) || a.name.localeCompare(b.name)
}
