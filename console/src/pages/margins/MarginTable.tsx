import type { MarginsRow } from '../../api-types.ts'
import { changeQuery } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FigureTable } from '../analytics/FigureTable.tsx'
import { written } from '../analytics/written.ts'
import { DIMENSIONS, METRICS, nameOf, type By } from './margins.ts'

type Props = {
  by: By
  rows: readonly MarginsRow[]
  currency: string
  has_more: boolean
  sort: string | undefined
}

/** Figures by one dimension. A click on a value narrows the page to it and groups what is left by the next dimension. */
export function MarginTable({ by, rows, currency, has_more, sort }: Props) {
  const shown = rows.map((row) => {
    const words = nameOf(by, row)
    // Days are sorted as days, not by the letters of their names.
    return {
      key: keyOf(row),
      name: by === 'day' ? (row.day ?? '') : words,
      words,
      narrow: narrowed(by, row),
      figures: row,
    }
  })
  return (
    <>
      <FigureTable
        label={DIMENSIONS[by].heading}
        title={DIMENSIONS[by].title}
        rows={shown}
        metrics={METRICS}
        sort={sort ?? (by === 'day' ? 'name descending' : 'revenue descending')}
        nameCell={({ words, narrow }) =>
          narrow ? (
            <button
              type="button"
              className="analytics-value"
              onClick={() => changeQuery({ ...narrow, sort: undefined })}
            >
              {words}
            </button>
          ) : (
            words
          )
        }
        cell={({ figures }, metric) => written(metric, metric.of(figures), currency)}
        empty={<Empty title={t('There is nothing to group by.')}>{t('Choose other days.')}</Empty>}
      />
      {has_more && (
        <p className="table-foot soft small">
          {t('The first {n} rows are shown; the CSV file has all.', { n: number(rows.length) })}
        </p>
      )}
    </>
  )
}

function keyOf({ day, organisation_id, carrier, country, operator }: MarginsRow): string {
  return [day, organisation_id, carrier, country, operator].join(' ')
}

/** The address of a value; undefined for what cannot be asked for. */
function narrowed(by: By, { day, organisation_id, carrier, country }: MarginsRow): Record<string, string> | undefined {
  if (by === 'day' && day) return { days: 'other', from: day, until: day, by: 'organisation' }
  if (by === 'organisation' && organisation_id) return { organisation: organisation_id, by: 'carrier' }
  if (by === 'carrier' && carrier) return { carrier, by: 'country' }
  if (by === 'country' && country) return { country, by: 'operator' }
  return undefined
}
