import type { ReactNode } from 'react'
import type { Bind, BindFigures } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { Empty, Pending } from '../../ui/Empty.tsx'
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
      title={t('Binds')}
      lead={t('SMPP connections to carriers. Counters start when the current process opens the connection.')}
      flush
    >
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('Binds')}
          rows={lines}
          rowKey={({ carrier, bind }) => `${carrier} ${bind}`}
          onRow={({ carrier, bind }) => go(pathOf(carrier, bind))}
          columns={COLUMNS}
          empty={
            <Empty title={t('No bind is configured.')}>{t('Carriers of type smpp have one or more binds.')}</Empty>
          }
        />
      )}
    </Section>
  )
}

const pathOf = (carrier: string, bind: number) => `/carriers/${encodeURIComponent(carrier)}/${bind}`

/** A bind that no process has opened has no counters. */
const figure = (read: (figures: BindFigures) => ReactNode) => (line: Line) =>
  line.figures === null ? <span className="soft">–</span> : read(line.figures)

const COLUMNS: readonly Column<Line>[] = [
  {
    title: t('Bind'),
    narrow: true,
    cell: ({ carrier, bind }) => (
      <Link to={pathOf(carrier, bind)}>
        <b>{carrier}</b> {bind}
      </Link>
    ),
  },
  { title: t('State'), cell: (line) => <State bind={line} /> },
  {
    title: t('In flight'),
    number: true,
    narrow: true,
    cell: figure(({ inflight, window, waiting }) => (
      <>
        {t('{part} of {total}', { part: inflight, total: window })}
        {waiting > 0 && <span className="soft small"> {t('{waiting} waiting', { waiting })}</span>}
      </>
    )),
  },
  { title: t('Rate'), number: true, narrow: true, minor: true, cell: figure(rateText) },
  { title: t('Submitted'), number: true, narrow: true, cell: figure(({ submitted }) => number(submitted)) },
  {
    title: t('Received||how many'),
    number: true,
    narrow: true,
    minor: true,
    cell: figure(({ received }) => number(received)),
  },
  { title: t('Response time'), number: true, narrow: true, cell: figure(latencyText) },
  { title: t('Errors'), narrow: true, cell: figure((figures) => <Errors figures={figures} />) },
]
