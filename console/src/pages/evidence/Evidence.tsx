import type { HonestyRow } from '../../api-types.ts'
import { withQuery } from '../../api.ts'
import { useRead } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { number, plural, t } from '../../text/text.ts'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Select } from '../../ui/select/Select.tsx'
import '../analytics/analytics.css'
import { Advice } from './Advice.tsx'
import { EVIDENCE, FIGURES, matrixOf, stepHours, wholeSteps } from './evidence.ts'
import './evidence.css'
import { EvidenceFilters } from './EvidenceFilters.tsx'
import { readFilters } from './filters.ts'
import { FigureRows } from './FigureRows.tsx'
import { Honesty } from './Honesty.tsx'
import { byCarrier, HONESTY } from './honesty.ts'
import { MatrixTable } from './MatrixTable.tsx'

const EVERY_MS = 30_000

/** What becomes of the messages that carriers are given, by carrier and operator. */
export default function Evidence() {
  const { query } = useRoute()
  const filters = readFilters(query)
  const { hours, channel, class: its_class, country } = filters
  const asked = { hours, channel, class: its_class, country }
  const figure = FIGURES.find(({ name }) => name === query.figure) ?? FIGURES[0]
  const step_hours = stepHours(hours)
  const options = { every_ms: EVERY_MS, keep: true }
  const single = useRead(withQuery(EVIDENCE, { ...asked, by: 'carrier,country,operator' }), options)
  const summed = useRead(withQuery(EVIDENCE, { ...asked, by: 'carrier' }), options)
  const stepped = useRead(withQuery(EVIDENCE, { ...asked, by: 'hour,carrier,country,operator', step_hours }), options)
  const stepped_all = useRead(withQuery(EVIDENCE, { ...asked, by: 'hour,carrier', step_hours }), options)
  const countries = useRead(withQuery(EVIDENCE, { ...asked, country: undefined, by: 'country' }), options)
  const honesty = useRead(HONESTY, { every_ms: EVERY_MS })
  const error = honesty.error ?? single.error ?? summed.error ?? stepped.error ?? stepped_all.error ?? countries.error
  const is_read = single.data && summed.data && stepped.data && stepped_all.data
  const is_stale = [single, summed, stepped, stepped_all].some(({ isPlaceholderData }) => isPlaceholderData)
  return (
    <Page
      title={t('Evidence')}
      lead={t(
        'What became of the messages that carriers were given, by operator. Messages of test keys are not counted.',
      )}
      wide
    >
      <EvidenceFilters chosen={filters} countries={countries.data?.rows.map((row) => row.country ?? '') ?? []} />
      {error && <Trouble error={error} />}
      {!error && !is_read && <Loading />}
      {is_read && summed.data.rows.length === 0 && <Nothing is_filtered={channel || its_class || country} />}
      {is_read && summed.data.rows.length > 0 && (
        <div className={is_stale ? 'stack evidence-parts stale' : 'stack evidence-parts'} aria-busy={is_stale}>
          <Advice rows={summed.data.rows} currency={summed.data.currency} />
          <Section
            title={t('Carriers by operator')}
            lead={t('Carriers with at least 30 messages at an operator are compared there.')}
            flush
            actions={
              <Select
                label={t('Figure shown')}
                value={figure.name}
                onChange={(name) => changeQuery({ figure: name === FIGURES[0].name ? undefined : name })}
                choices={FIGURES.map(({ name, title }) => ({ value: name, label: title }))}
              />
            }
          >
            <Matrix
              figure={figure}
              read={{
                single: single.data.rows,
                summed: summed.data.rows,
                stepped: wholeSteps(stepped.data),
                stepped_all: wholeSteps(stepped_all.data),
              }}
              currency={single.data.currency}
              is_short={stepped.data.has_more}
              honesty={honesty.data && byCarrier(honesty.data.rows)}
            />
          </Section>
          {honesty.data && <Honesty rows={honesty.data.rows} />}
          <Section title={t('All figures')} flush>
            <FigureRows rows={single.data.rows} currency={single.data.currency} sort={query.sort} />
            {single.data.has_more && (
              <p className="table-foot soft small">
                {t('The first {n} rows are shown. Choose a country to see others.', {
                  n: number(single.data.rows.length),
                })}
              </p>
            )}
          </Section>
        </div>
      )}
    </Page>
  )
}

type MatrixProps = {
  figure: Parameters<typeof matrixOf>[0]
  read: Parameters<typeof matrixOf>[1]
  currency: string
  /** The lines are of less than the period. */
  is_short: boolean
  honesty: ReadonlyMap<string, HonestyRow> | undefined
}

function Matrix({ figure, read, currency, is_short, honesty }: MatrixProps) {
  const matrix = matrixOf(figure, read)
  const notes = [
    matrix.left_out > 0 &&
      plural(
        matrix.left_out,
        '{n} operator with fewer messages has no column of its own. Choose a country to see it.',
        '{n} operators with fewer messages have no columns of their own. Choose a country to see them.',
      ),
    is_short && t('The lines show only the last part of the period. Choose a country to see all of it.'),
  ].filter(Boolean)
  return (
    <>
      <MatrixTable figure={figure} matrix={matrix} currency={currency} honesty={honesty} />
      {notes.length > 0 && <p className="table-foot soft small">{notes.join(' ')}</p>}
    </>
  )
}

function Nothing({ is_filtered }: { is_filtered: string | undefined }) {
  return (
    <Section>
      <Empty title={t('No evidence for this period.')}>
        <p>
          {is_filtered
            ? t('Choose a longer period, or fewer filters.')
            : t(
                'It is counted from the first message that a carrier is given. Choose a longer period, or check that the carriers are connected.',
              )}
        </p>
        <Link to="/carriers" className="button">
          {t('Carriers')}
        </Link>
      </Empty>
    </Section>
  )
}
