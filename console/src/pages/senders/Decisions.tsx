import { useState, type ReactNode } from 'react'
import type { AnyonesSender } from '../../types.ts'
import { withQuery } from '../../api.ts'
import { useRead } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Decide } from './Decide.tsx'
import { CLASSES, DECISIONS } from './senders.ts'

const EVERY_MS = 15_000

/** For operators: the senders of all organisations, those that wait for a word first. */
export function Decisions() {
  const [state, setState] = useState('pending')
  const found = useRead(withQuery(DECISIONS, { state }), { every_ms: EVERY_MS })
  const [deciding, setDeciding] = useState<AnyonesSender>()
  return (
    <Section
      title={t('Awaiting review')}
      lead={t('Senders requested by all organisations. In live mode, a sender can be used once you have approved it.')}
      flush
      actions={
        <Segments
          label={t('State')}
          value={state}
          onChange={setState}
          choices={[
            { value: 'pending', label: t('Waiting||senders') },
            { value: 'approved', label: t('Approved||senders') },
            { value: 'rejected', label: t('Rejected||senders') },
          ]}
        />
      }
    >
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('Senders of all organisations')}
          rows={found.data.senders}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Sender'), narrow: true, cell: ({ sender_id }) => <b>{sender_id}</b> },
            { title: t('Organisation'), cell: ({ organisation_name }) => organisation_name },
            { title: t('For||a purpose'), narrow: true, cell: (sender) => CLASSES[sender.class] },
            {
              title: state === 'pending' ? t('Note') : t('Reason'),
              cell: ({ reason, note }) => (state === 'pending' ? note : reason) ?? <span className="soft">–</span>,
            },
            {
              title: state === 'pending' ? t('Requested') : t('Decided'),
              narrow: true,
              cell: ({ created_datetime, updated_datetime }) => (
                <Time at={state === 'pending' ? created_datetime : updated_datetime} />
              ),
            },
            {
              ...ACTIONS,
              cell: (sender) => (
                <Button look="bare" onClick={() => setDeciding(sender)}>
                  {state === 'pending' ? t('Decide') : t('Change decision')}
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
  pending: <Empty title={t('No senders to review.')}>{t('Senders that organisations register appear here.')}</Empty>,
  approved: <Empty title={t('No sender is approved yet.')}>{t('Senders that you approve are listed here.')}</Empty>,
  rejected: (
    <Empty title={t('No sender was rejected.')}>{t('Rejected senders are listed here, with the reason.')}</Empty>
  ),
}
