import { changeQuery } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { change } from '../../ui/change.ts'
import { deliveryWords } from '../../ui/delivery-words.ts'
import { Empty } from '../../ui/Empty.tsx'
import { DIMENSIONS, metricsOf, valueName, type By, type Figures, type Report, type Tab } from './analytics.ts'
import { FigureTable } from './FigureTable.tsx'
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

/** The values of a dimension; a click draws one of them. */
export function ValueTable({ report, by, tab, sort }: { report: Report; by: By; tab: Tab; sort: string | undefined }) {
  const rows = (report.values ?? [])
    .map(({ value, name, description, advice, previous, ...figures }): Row => {
      const words = valueName(by, value, description === undefined ? name : deliveryWords(description))
      return { key: `=${value}`, name: words, value, advice: advice && deliveryWords(advice), figures, previous }
    })
    .filter(({ figures }) => tab === 'messages' || (figures.otp?.requested ?? 0) > 0)
  return (
    <FigureTable
      label={DIMENSIONS[by].heading}
      title={DIMENSIONS[by].title}
      rows={rows}
      last={report.other && otherRow(report.other)}
      metrics={metricsOf(tab, by)}
      sort={sort}
      nameCell={({ name, value, advice }) =>
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
        )
      }
      cell={({ figures, previous }, metric) => (
        <>
          {written(metric, metric.of(figures), report.currency)}
          {previous && (
            <span className="soft small second-line"> {change(metric, metric.of(figures), metric.of(previous))}</span>
          )}
        </>
      )}
      empty={
        <Empty title={tab === 'otp' ? t('No one-time passwords yet.') : t('There is nothing to group by.')}>
          {t('Choose other days.')}
        </Empty>
      }
    />
  )
}

function otherRow({ previous, ...figures }: NonNullable<Report['other']>): Row {
  return { key: 'other', name: t('All others'), figures, previous }
}
