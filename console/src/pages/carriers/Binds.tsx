import type { ReactNode } from 'react'
import type { Bind, BindFigures } from '../../../../src/carriers/schema.ts'
import { useRead } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import { CARRIERS } from './binds.ts'
import { Errors, latencyText, rateText, State } from './figures.tsx'

const EVERY_MS = 2_000

type Line = Bind & { carrier: string }

/** Every connection to a network that speaks SMPP, as the process that holds it last wrote it down. */
export function Binds() {
  const found = useRead(`${CARRIERS}/binds`, { every_ms: EVERY_MS })
  const lines = (found.data?.carriers ?? []).flatMap(({ carrier, binds }) =>
    binds.map((bind) => ({ ...bind, carrier })),
  )
  return (
    <Section
      title="Binds"
      lead="The connections to networks that speak SMPP. Counted since the process that holds one took it."
      flush
    >
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && (
        <Table
          label="Binds"
          rows={lines}
          rowKey={({ carrier, bind }) => `${carrier} ${bind}`}
          onRow={({ carrier, bind }) => go(pathOf(carrier, bind))}
          columns={COLUMNS}
          empty={<Empty title="No bind is configured.">A carrier of the kind smpp has one or more.</Empty>}
        />
      )}
    </Section>
  )
}

const pathOf = (carrier: string, bind: number) => `/carriers/${encodeURIComponent(carrier)}/${bind}`

/** A bind that nobody has ever held has no figures. */
const figure = (read: (figures: BindFigures) => ReactNode) => (line: Line) =>
  line.figures === null ? <span className="soft">–</span> : read(line.figures)

const COLUMNS: readonly Column<Line>[] = [
  {
    title: 'Bind',
    narrow: true,
    cell: ({ carrier, bind }) => (
      <Link to={pathOf(carrier, bind)}>
        <b>{carrier}</b> {bind}
      </Link>
    ),
  },
  { title: 'State', cell: (line) => <State bind={line} /> },
  {
    title: 'In flight',
    number: true,
    narrow: true,
    cell: figure(({ inflight, window, waiting }) => (
      <>
        {inflight} of {window}
        {waiting > 0 && <span className="soft small"> {waiting} wait</span>}
      </>
    )),
  },
  { title: 'Rate', number: true, narrow: true, minor: true, cell: figure(rateText) },
  { title: 'Submitted', number: true, narrow: true, cell: figure(({ submitted }) => submitted.toLocaleString('en')) },
  {
    title: 'Received',
    number: true,
    narrow: true,
    minor: true,
    cell: figure(({ received }) => received.toLocaleString('en')),
  },
  { title: 'Answered', number: true, narrow: true, cell: figure(latencyText) },
  { title: 'Errors', narrow: true, cell: figure((figures) => <Errors figures={figures} />) },
]
