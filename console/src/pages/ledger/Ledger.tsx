import { useState } from 'react'
import type { LedgerEntry } from '../../../../src/billing/schema.ts'
import { usePages, useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { TopUp } from './TopUp.tsx'

const PATH = '/balance'
const EVERY_MS = 5_000

/** The balance, and every line that made it. */
export default function Ledger() {
  const { operator, organisation } = useSession()
  const [topping, setTopping] = useState(false)
  const account = useRead(`${PATH}?limit=1`, { every_ms: EVERY_MS })
  const entries = usePages(PATH, 'entries', { limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Page
      title="Ledger"
      lead="Lines are only ever added, numbered without gaps; the balance is their sum."
      actions={
        operator && (
          <Button look="main" onClick={() => setTopping(true)}>
            Top up
          </Button>
        )
      }
    >
      <dl className="figures">
        <Figure
          name="Balance"
          value={account.data ? <Money amount={account.data.balance} /> : '–'}
          note={operator ? 'left to spend' : 'left to spend; the operator tops it up'}
        />
      </dl>
      <Section flush>
        <PagedTable
          label="Lines"
          pages={entries}
          rowKey={({ id }) => id}
          columns={[
            { title: 'No.', number: true, narrow: true, cell: ({ id }) => id },
            { title: 'When', narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: 'For', cell: (entry) => <For entry={entry} /> },
            { title: 'Amount', number: true, narrow: true, cell: ({ amount }) => <Money amount={amount} sign /> },
            {
              title: 'Balance',
              number: true,
              narrow: true,
              cell: ({ balance_after }) => <Money amount={balance_after} />,
            },
          ]}
          empty={<Empty title="No line yet.">The first is the opening balance.</Empty>}
        />
      </Section>
      {topping && <TopUp organisation={organisation} onClose={() => setTopping(false)} />}
    </Page>
  )
}

const KINDS: Record<string, string> = {
  opening: 'Opening balance',
  top_up: 'Top-up',
  adjustment: 'Correction',
  message: 'Message',
  airtime: 'Airtime',
  lookup: 'Lookup',
  refund: 'Refund',
}

function For({ entry }: { entry: LedgerEntry }) {
  const { kind, subject_id, subject_ids, recipient, note } = entry
  const title = KINDS[kind] ?? kind
  if (subject_ids) return <Several entry={entry} ids={subject_ids} />
  return (
    <>
      {kind === 'message' ? <Link to={`/messages/${subject_id}`}>{title}</Link> : null}
      {kind === 'airtime' ? <Link to={`/airtime/${subject_id}`}>{title}</Link> : null}
      {kind !== 'message' && kind !== 'airtime' ? title : null}
      {recipient && <span className="soft"> {phoneText(recipient)}</span>}
      {note && <span className="soft"> {note}</span>}
    </>
  )
}

/** Messages that were accepted in the same moment have one line. */
function Several({ entry, ids }: { entry: LedgerEntry; ids: string[] }) {
  return (
    <details>
      <summary>{entry.subjects} messages</summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <Link to={`/messages/${id}`}>{id}</Link>
          </li>
        ))}
        {(entry.subjects ?? 0) > ids.length && <li className="soft">and {(entry.subjects ?? 0) - ids.length} more</li>}
      </ul>
    </details>
  )
}
