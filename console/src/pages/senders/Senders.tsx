import { useState } from 'react'
import type { RegisteredSender } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { usePages, useWrite } from '../../read.ts'
import { useNew } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { Decisions } from './Decisions.tsx'
import { CLASSES, SENDERS } from './senders.ts'

/** What phones show as the sender. In live mode only approved ones are used. */
export default function Senders() {
  const { sandbox, operator, organisation } = useSession()
  const senders = usePages(SENDERS, 'senders', { limit: 50 })
  const [adding, setAdding] = useNew()
  const [removing, setRemoving] = useState<RegisteredSender>()
  return (
    <Page
      title={t('Senders')}
      lead={
        sandbox
          ? t(
              'What phones show as the sender. In the sandbox any name will do; in live mode the operator approves them.',
            )
          : t('What phones show as the sender. Networks want them registered: the operator approves each.')
      }
      actions={
        <Button look="main" icon="plus" onClick={() => setAdding(true)}>
          {t('Register a sender')}
        </Button>
      }
    >
      {operator && <Decisions />}
      <Section
        flush
        {...(operator ? { title: t('Senders of {organisation}', { organisation: organisation.name }) } : {})}
      >
        <PagedTable
          label={t('Senders')}
          pages={senders}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Sender'), narrow: true, cell: ({ sender_id }) => <b>{sender_id}</b> },
            { title: t('For||a purpose'), narrow: true, cell: (sender) => CLASSES[sender.class] },
            { title: t('State'), narrow: true, cell: ({ state }) => <Badge status={state} /> },
            {
              title: t('Note'),
              cell: ({ reason, note }) => reason ?? note ?? <span className="soft">–</span>,
            },
            { title: t('Requested'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            {
              ...ACTIONS,
              cell: (sender) => (
                <Button look="remove" onClick={() => setRemoving(sender)}>
                  {t('Remove')}
                </Button>
              ),
            },
          ]}
          empty={
            <Empty title={t('No sender is registered.')}>
              <p>{t('Register the name that your customers know.')}</p>
              <Button changes onClick={() => setAdding(true)}>
                {t('Register a sender')}
              </Button>
            </Empty>
          }
        />
      </Section>
      {adding && <AddSender onClose={() => setAdding(false)} />}
      {removing && <RemoveSender sender={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}

function AddSender({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const draft = useDraft('sender', { sender_id: '', sender_class: 'transactional', note: '' })
  const [{ sender_id, sender_class, note }, change] = draft
  const add = useWrite(
    () => call('POST', SENDERS, { sender_id, class: sender_class, ...(note ? { note } : {}) }),
    [SENDERS],
  )
  return (
    <FormDialog
      title={t('Register a sender')}
      action={t('Register')}
      write={add}
      draft={draft}
      onDone={({ state }) => {
        say(state === 'approved' ? t('The sender can be used.') : t('The operator will review it.'))
      }}
      onClose={onClose}
    >
      <TextField
        name="sender_id"
        label={t('Sender')}
        hint={t('1 to 11 letters, digits, spaces or -_.&, or a short code.')}
        value={sender_id}
        onChange={(next) => change({ sender_id: next })}
      />
      <SelectField
        name="class"
        label={t('For||a purpose')}
        value={sender_class}
        onChange={(next) => change({ sender_class: next })}
        hint={sender_class === 'promotional' ? t('Offers and news.') : t('Orders, codes, reminders.')}
        choices={[
          { value: 'transactional', label: t('Transactional') },
          { value: 'promotional', label: t('Promotional') },
        ]}
      />
      <TextField
        name="note"
        label={t('Note')}
        optional
        hint={t('For the operator: what it is used for, and who owns the name.')}
        value={note}
        onChange={(next) => change({ note: next })}
      />
    </FormDialog>
  )
}

function RemoveSender({ sender, onClose }: { sender: RegisteredSender; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Remove {sender}?', { sender: sender.sender_id })}
      action={t('Remove the sender')}
      keep={t('Keep the sender')}
      write={() => call('DELETE', `${SENDERS}/${sender.id}`)}
      stale={[SENDERS]}
      onDone={() => say(t('The sender is removed.'))}
      onClose={onClose}
    >
      <p>{t('Messages from this sender are refused from now on where senders must be approved.')}</p>
    </Confirm>
  )
}
