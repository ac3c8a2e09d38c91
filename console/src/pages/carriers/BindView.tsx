import type { Bind, SeenPdu } from '../../../../src/carriers/schema.ts'
import { useRead } from '../../read.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { CARRIERS } from './binds.ts'
import { Errors, latencyText, rateText, State } from './figures.tsx'

/** The process that holds the bind writes down what it has seen as often. */
const EVERY_MS = 3_000

/** One bind, with the last PDUs either way: no texts, and numbers without their middle. */
export function BindView({ carrier, bind, onClose }: { carrier: string; bind: string; onClose: () => void }) {
  const found = useRead(`${CARRIERS}/${encodeURIComponent(carrier)}/binds/${encodeURIComponent(bind)}`, {
    every_ms: EVERY_MS,
  })
  return (
    <Dialog title={`${carrier}, bind ${bind}`} wide onClose={onClose}>
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && (
        <>
          <Facts bind={found.data} />
          <h3>Last PDUs</h3>
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
        ['State', <State bind={bind} />],
        ['Since', figures && <Time at={figures.since} />],
        ['Seen', <Time at={bind.updated_datetime} />],
        ['In flight', figures && `${figures.inflight} of ${figures.window}, ${figures.waiting} wait`],
        ['Rate', figures && rateText(figures)],
        ['Submitted', figures && figures.submitted.toLocaleString('en')],
        ['Received', figures && figures.received.toLocaleString('en')],
        ['Answered', figures && latencyText(figures)],
        ['Errors', figures && <Errors figures={figures} />],
        ['Process', bind.holder && <span className="mono">{bind.holder}</span>],
      ]}
    />
  )
}

function Pdus({ pdus }: { pdus: readonly SeenPdu[] }) {
  const lines = pdus.map((pdu, index) => ({ ...pdu, key: `${index}` })).reverse()
  return (
    <Table
      label="Last PDUs"
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        { title: 'At', narrow: true, cell: ({ at }) => <Time at={at} /> },
        { title: 'Way', narrow: true, cell: ({ direction }) => (direction === 'out' ? 'out' : 'in') },
        { title: 'PDU', narrow: true, cell: ({ command }) => <span className="mono">{command}</span> },
        { title: 'No.', number: true, narrow: true, minor: true, cell: ({ sequence_number }) => sequence_number },
        { title: 'Status', narrow: true, cell: (pdu) => <Answer pdu={pdu} /> },
        { title: 'About', cell: (pdu) => <About pdu={pdu} /> },
        { title: 'Octets', number: true, narrow: true, minor: true, cell: ({ bytes }) => bytes },
      ]}
      empty={<Empty title="Nothing has passed yet.">Send a message over this carrier, and it appears here.</Empty>}
    />
  )
}

/** Only answers have a status worth a word. */
function Answer({ pdu: { command, command_status } }: { pdu: SeenPdu }) {
  if (!command.endsWith('_resp') && command_status === 'ROK') return <span className="soft">–</span>
  return command_status === 'ROK' ? <Badge status="ok" tone="good" /> : <Badge status={command_status} tone="bad" />
}

function About({ pdu: { from, to, message_id } }: { pdu: SeenPdu }) {
  const said = [from && `from ${from}`, to && `to ${to}`, message_id && `id ${message_id}`].filter(Boolean).join(' ')
  return said === '' ? <span className="soft">–</span> : said
}
