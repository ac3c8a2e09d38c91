import type { Bind, BindFigures, SeenPdu } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { CARRIERS } from './binds.ts'
import { Errors, latencyText, rateText, State } from './figures.tsx'

const DIRECTIONS: Record<SeenPdu['direction'], string> = {
  out: t('out||direction of a PDU'),
  in: t('in||direction of a PDU'),
}

/** The process that holds the bind writes down what it has seen as often. */
const EVERY_MS = 3_000

/** One bind, with the last PDUs either way: no texts, and numbers without their middle. */
export function BindView({ carrier, bind, onClose }: { carrier: string; bind: string; onClose: () => void }) {
  const found = useRead(`${CARRIERS}/${encodeURIComponent(carrier)}/binds/${encodeURIComponent(bind)}`, {
    every_ms: EVERY_MS,
  })
  return (
    <Dialog title={t('{carrier}, bind {bind}', { carrier, bind })} wide onClose={onClose}>
      <Pending read={found} />
      {found.data && (
        <>
          <Facts bind={found.data} />
          <h3>{t('Last PDUs')}</h3>
          <Pdus pdus={found.data.pdus ?? []} />
        </>
      )}
    </Dialog>
  )
}

function Facts({ bind }: { bind: Bind }) {
  const { figures } = bind
  return (
    <DataList
      items={[
        [t('State'), <State bind={bind} />],
        [t('Since||a moment'), figures && <Time at={figures.since} />],
        [t('Seen||when'), <Time at={bind.updated_datetime} />],
        [t('In flight'), figures && inFlightText(figures)],
        [t('Rate'), figures && rateText(figures)],
        [t('Submitted'), figures && number(figures.submitted)],
        [t('Received||how many'), figures && number(figures.received)],
        [t('Response time'), figures && latencyText(figures)],
        [t('Errors'), figures && <Errors figures={figures} />],
        [t('Process'), bind.holder && <span className="mono">{bind.holder}</span>],
      ]}
    />
  )
}

function inFlightText({ inflight, window, waiting }: BindFigures): string {
  return t('{inflight} of {window}, {waiting} waiting', { inflight, window, waiting })
}

function Pdus({ pdus }: { pdus: readonly SeenPdu[] }) {
  const lines = pdus.map((pdu, index) => ({ ...pdu, key: `${index}` })).reverse()
  return (
    <Table
      label={t('Last PDUs')}
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        { title: t('Time||of a PDU'), narrow: true, cell: ({ at }) => <Time at={at} /> },
        { title: t('Direction'), narrow: true, cell: ({ direction }) => DIRECTIONS[direction] },
        { title: t('PDU'), narrow: true, cell: ({ command }) => <span className="mono">{command}</span> },
        { title: t('No.'), number: true, narrow: true, minor: true, cell: ({ sequence_number }) => sequence_number },
        { title: t('Status'), narrow: true, cell: (pdu) => <Answer pdu={pdu} /> },
        { title: t('About||a PDU'), cell: (pdu) => <About pdu={pdu} /> },
        { title: t('Bytes'), number: true, narrow: true, minor: true, cell: ({ bytes }) => bytes },
      ]}
      empty={<Empty title={t('No PDUs yet.')}>{t('Send a message over this carrier, and it appears here.')}</Empty>}
    />
  )
}

/** Only answers have a status worth a word. */
function Answer({ pdu: { command, command_status } }: { pdu: SeenPdu }) {
  if (!command.endsWith('_resp') && command_status === 'ROK') return <span className="soft">–</span>
  return command_status === 'ROK' ? (
    <Badge status={t('ok||status')} tone="good" />
  ) : (
    <Badge status={command_status} tone="bad" />
  )
}

function About({ pdu: { from, to, message_id } }: { pdu: SeenPdu }) {
  const parts = [
    from && t('from {number}', { number: from }),
    to && t('to {number}', { number: to }),
    message_id && t('id {id}', { id: message_id }),
  ]
  const said = parts.filter(Boolean).join(' ')
  return said === '' ? <span className="soft">–</span> : said
}
