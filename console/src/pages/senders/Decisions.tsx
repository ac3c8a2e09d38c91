import { useState, type ReactNode } from 'react'
import type { AnyonesSender } from '../../../../src/http/console/operator/schema.ts'
import { withQuery } from '../../api.ts'
import { useRead } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Decide } from './Decide.tsx'
import { DECISIONS } from './senders.ts'

const EVERY_MS = 15_000

/** For operators: the senders of all organisations, those that wait for a word first. */
export function Decisions() {
  const [state, setState] = useState('pending')
  const found = useRead(withQuery(DECISIONS, { state }), { every_ms: EVERY_MS })
  const [deciding, setDeciding] = useState<AnyonesSender>()
  return (
    <Section
      title="To decide"
      lead="What all organisations have asked for. In live mode a sender is used once you have approved it."
      flush
      actions={
        <Segments
          label="Which"
          value={state}
          onChange={setState}
          choices={[
            { value: 'pending', label: 'Waiting' },
            { value: 'approved', label: 'Approved' },
            { value: 'rejected', label: 'Rejected' },
          ]}
        />
      }
    >
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && (
        <Table
          label="Senders of all organisations"
          rows={found.data.senders}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Sender', narrow: true, cell: ({ sender_id }) => <b>{sender_id}</b> },
            { title: 'Organisation', cell: ({ organisation_name }) => organisation_name },
            { title: 'For', narrow: true, cell: (sender) => sender.class },
            {
              title: state === 'pending' ? 'Note' : 'Reason',
              clip: true,
              cell: ({ reason, note }) => (state === 'pending' ? note : reason) ?? <span className="soft">–</span>,
            },
            {
              title: state === 'pending' ? 'Asked for' : 'Decided',
              narrow: true,
              cell: ({ created_datetime, updated_datetime }) => (
                <Time at={state === 'pending' ? created_datetime : updated_datetime} />
              ),
            },
            {
              title: 'Actions',
              unseen: true,
              narrow: true,
              cell: (sender) => (
                <Button look="bare" onClick={() => setDeciding(sender)}>
                  {state === 'pending' ? 'Decide' : 'Decide anew'}
                </Button>
              ),
            },
          ]}
          empty={EMPTY[state]}
        />
      )}
      {deciding && <Decide sender={deciding} onClose={() => setDeciding(undefined)} />}
    </Section>
  )
}

const EMPTY: Record<string, ReactNode> = {
  pending: <Empty title="No sender waits for a decision.">What an organisation registers appears here.</Empty>,
  approved: <Empty title="No sender is approved yet.">Look at those that wait.</Empty>,
  rejected: <Empty title="No sender was rejected.">Those you reject stay here, with the reason.</Empty>,
}
