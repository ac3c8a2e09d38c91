import { useLiveRefresh } from '../../live.ts'
import { useRead } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { plural, t } from '../../text/text.ts'
import { LiveBadge } from '../../ui/Badge.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { AttentionPart } from './AttentionPart.tsx'
import { Chart } from './Chart.tsx'
import { Figures } from './Figures.tsx'

const PATH = '/console/api/overview'
const EVERY_MS = 5_000

const HOUR = { value: 'hour', label: t('Hour'), nothing: t('Nothing was sent in the last hour.') }
const RANGES = [
  HOUR,
  { value: 'day', label: t('Day'), nothing: t('Nothing was sent in the last day.') },
  { value: 'month', label: t('Month'), nothing: t('Nothing was sent in the last month.') },
]

/** How it goes, now and over the last hour, day or month. */
export default function Overview() {
  const { query } = useRoute()
  const { session, right } = useSession()
  const { notices } = session
  const may_send = right('sms') === 'change'
  const { value: range, nothing } = RANGES.find(({ value }) => value === query.range) ?? HOUR
  const found = useRead(`${PATH}?range=${range}`, { every_ms: EVERY_MS, keep: true })
  useLiveRefresh(PATH)
  const overview = found.data
  return (
    <Page
      title={t('Overview')}
      lead={t('Figures for the selected period, and current activity.')}
      actions={
        <>
          <Segments
            label={t('Time shown')}
            value={range}
            onChange={(value) => changeQuery({ range: value })}
            choices={RANGES}
          />
          <Link to="/analytics" className="button">
            {t('Analytics')}
          </Link>
        </>
      }
    >
      {notices.map(({ key, message }) => (
        <Section key={key} title={t('This installation needs attention')}>
          <p>{message}</p>
        </Section>
      ))}
      {overview && overview.attention.length > 0 && <AttentionPart items={overview.attention} />}
      <Pending read={found} />
      {overview && (
        <>
          <Figures overview={overview} />
          <Section title={t('Messages')} lead={stepSentence(overview.step_s)}>
            {overview.totals.accepted === 0 ? (
              <Empty title={nothing}>
                {may_send ? (
                  <Link to="/send" className="button">
                    {t('Send a message')}
                  </Link>
                ) : (
                  t('Figures appear here once messages are sent.')
                )}
              </Empty>
            ) : (
              <Chart series={overview.series} range={range} totals={overview.totals} />
            )}
          </Section>
          {overview.carriers && (
            <Section title={t('Carriers')} flush>
              <Table
                label={t('Carriers')}
                rows={overview.carriers}
                rowKey={({ name }) => name}
                columns={[
                  { title: t('Name'), cell: ({ name }) => <b>{name}</b> },
                  { title: t('Type'), cell: ({ kind }) => kind },
                  { title: t('State'), cell: ({ state }) => <LiveBadge status={state} /> },
                  { title: t('Detail'), cell: ({ detail }) => <span className="soft">{detail ?? '–'}</span> },
                ]}
                empty={<Empty title={t('No carrier is configured.')}>{t('The configuration file names them.')}</Empty>}
              />
            </Section>
          )}
        </>
      )}
    </Page>
  )
}

function stepSentence(step_s: number): string {
  if (step_s % 86_400 === 0) return plural(step_s / 86_400, 'Recipients per day.', 'Recipients per {n} days.')
  if (step_s % 3_600 === 0) return plural(step_s / 3_600, 'Recipients per hour.', 'Recipients per {n} hours.')
  const minutes = Math.round(step_s / 60)
  return plural(minutes, 'Recipients per minute.', 'Recipients per {n} minutes.')
}
