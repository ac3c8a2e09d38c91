import { useState } from 'react'
import type { TestSentAnswer } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { CARRIERS } from './binds.ts'
import { OUTCOMES } from './outcome-words.ts'

type Sent = TestSentAnswer['test']

/** Sends a message through one carrier, and shows its answer. */
export function TestCarrier({ name, onClose }: { name: string; onClose: () => void }) {
  const draft = useDraft(`test.${name}`, { recipient: '', sender_id: '', text: '' })
  const [{ recipient, sender_id, text }, change, forget] = draft
  const [sent, setSent] = useState<Sent>()
  const body = { recipient, sender_id, ...(text === '' ? {} : { text }) }
  const write = useWrite(async () => {
    const { test } = await call('POST', `${CARRIERS}/${encodeURIComponent(name)}/test`, body)
    setSent(test)
    forget()
  }, ['/console/api/audit'])
  return (
    <FormDialog
      title={t('Send a test message through {name}', { name })}
      action={t('Send')}
      write={write}
      draft={draft}
      onClose={onClose}
      blocked={
        recipient.trim() === '' || sender_id.trim() === '' ? t('Enter a recipient and a sender first.') : undefined
      }
    >
      <p>{t('It goes beside all routes and pauses, belongs to no organisation, and may be charged by the carrier.')}</p>
      <TextField
        name="recipient"
        label={t('Recipient')}
        inputMode="tel"
        value={recipient}
        onChange={(next) => change({ recipient: next })}
      />
      <TextField
        name="sender_id"
        label={t('Sender')}
        value={sender_id}
        onChange={(next) => change({ sender_id: next })}
      />
      <TextField name="text" label={t('Text')} optional value={text} onChange={(next) => change({ text: next })} />
      {sent && (
        <p role="status">
          <b>{OUTCOMES[sent.outcome]}</b>{' '}
          {[sent.code, sent.description, sent.carrier_message_id].filter(Boolean).join(' ')}
        </p>
      )}
    </FormDialog>
  )
}
