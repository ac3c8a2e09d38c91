import { t } from '../../text/text.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Table } from '../../ui/Table.tsx'
import { stepNames, type Course, type Metric } from './analytics.ts'
import { written } from './written.ts'

/** The chart as a table, to read or copy. */
export function Steps<F>({ report, metrics }: { report: Course<F>; metrics: readonly Metric<F>[] }) {
  const names = stepNames(report)
  return (
    <details className="analytics-steps">
      <summary>{t('The chart as a table')}</summary>
      <Table
        label={t('Over time||a chart')}
        rows={report.series}
        rowKey={({ start_datetime }) => start_datetime}
        columns={[
          { title: t('When'), cell: ({ start_datetime }) => names.long(start_datetime) },
          ...metrics.map((metric) => ({
            title: metric.title,
            number: true,
            cell: (step: F) => written(metric, metric.of(step), report.currency),
          })),
        ]}
        empty={<Empty title={t('There are no steps.')} />}
      />
    </details>
  )
}
