import { useRead } from '../read.ts'
import { useSession } from '../session.ts'
import { t } from '../text/text.ts'
import { SelectField, TextField } from './fields.tsx'

type Props = { sender_id: string; onChange: (sender_id: string) => void; channel: string }

/** One of the approved senders. In the sandbox and in test mode any name is accepted; on WhatsApp it is a number. */
export function SenderField({ sender_id, onChange, channel }: Props) {
  const { organisation, sandbox } = useSession()
  const found = useRead('/senders?limit=1000')
  const senders = (found.data?.senders ?? []).filter(({ state }) => state === 'approved')
  const names = [...new Set([...senders.map((one) => one.sender_id), sender_id].filter(Boolean))]
  const shared = {
    name: 'sender_id',
    label: t('Sender'),
    value: sender_id,
    onChange,
  }
  if (sandbox || organisation.mode === 'test' || channel === 'whatsapp') {
    return <TextField {...shared} {...typedAs(channel, organisation.default_sender_id)} />
  }
  const none = organisation.default_sender_id
    ? t('Default: {sender}', { sender: organisation.default_sender_id })
    : t('Choose one')
  return (
    <SelectField
      {...shared}
      hint={found.data && senders.length === 0 ? t('No sender is approved yet.') : undefined}
      choices={[{ value: '', label: none }, ...names.map((name) => ({ value: name, label: name }))]}
    />
  )
}

function typedAs(channel: string, default_sender_id: string | undefined) {
  if (channel === 'whatsapp') return { placeholder: t('The number of the organisation'), inputMode: 'tel' as const }
  return { maxLength: 11, placeholder: default_sender_id ?? t('Up to 11 characters') }
}
