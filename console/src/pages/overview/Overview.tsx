import { useLiveRefresh } from '../../live.ts'
import { useRead } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { LiveBadge } from '../../ui/Badge.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Chart } from './Chart.tsx'
import { Figures } from './Figures.tsx'

const PATH = '/console/api/overview'
const EVERY_MS = 5_000

const RANGES = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
]

/** How it goes, now and over the last hour, day or month. */
export default function Overview() {
  const { query } = useRoute()
  const { notices } = useSession().session
  const range = RANGES.some(({ value }) => value === query.range) ? (query.range ?? 'hour') : 'hour'
  const found = useRead(`${PATH}?range=${range}`, { every_ms: EVERY_MS, keep: true })
  useLiveRefresh(PATH)
  const overview = found.data
  return (
    <Page
      title="Overview"
      lead="Figures of the chosen time, and what is under way at this moment."
      actions={
        <Segments
          label="Time shown"
          value={range}
          onChange={(value) => changeQuery({ range: value })}
          choices={RANGES}
        />
      }
    >
      {notices.map(({ key, message }) => (
        <Section key={key} title="The installation wants your attention">
          <p>{message}</p>
        </Section>
      ))}
      {found.isPending && <Loading />}
      {found.error && !overview && <Trouble error={found.error} />}
      {overview && (
        <>
          <Figures overview={overview} />
          <Section title="Messages" lead={`Recipients per ${stepName(overview.step_s)}, in your time.`}>
            {overview.totals.accepted === 0 ? (
              <Empty title={`Nothing was sent in the last ${range}.`}>
                <Link to="/send" className="button">
                  Send a message
                </Link>
              </Empty>
            ) : (
              <Chart series={overview.series} range={range} totals={overview.totals} />
            )}
          </Section>
          <Section title="Carriers" flush>
            <Table
              label="Carriers"
              rows={overview.carriers}
              rowKey={({ name }) => name}
              columns={[
                { title: 'Name', cell: ({ name }) => <b>{name}</b> },
                { title: 'Kind', cell: ({ kind }) => kind },
                { title: 'State', cell: ({ state }) => <LiveBadge status={state} /> },
                { title: 'Detail', cell: ({ detail }) => <span className="soft">{detail ?? '–'}</span> },
              ]}
              empty={<Empty title="No carrier is configured.">The configuration file names them.</Empty>}
            />
          </Section>
        </>
      )}
    </Page>
  )
}

function stepName(step_s: number): string {
  if (step_s % 86_400 === 0) return step_s === 86_400 ? 'day' : `${step_s / 86_400} days`
  if (step_s % 3_600 === 0) return step_s === 3_600 ? 'hour' : `${step_s / 3_600} hours`
  return step_s === 60 ? 'minute' : `${Math.round(step_s / 60)} minutes`
}
