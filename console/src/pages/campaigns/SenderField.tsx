import { useRead } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import type { CampaignDraft } from './campaigns.ts'

type Props = { draft: CampaignDraft; change: (part: Partial<CampaignDraft>) => void }

/** One of the approved senders. In the sandbox and in test mode any name is accepted. */
export function SenderField({ draft, change }: Props) {
  const { organisation, sandbox } = useSession()
  const found = useRead('/senders?limit=1000')
  const senders = (found.data?.senders ?? []).filter(({ state }) => state === 'approved')
  const names = [...new Set([...senders.map(({ sender_id }) => sender_id), draft.sender_id].filter(Boolean))]
  const shared = {
    name: 'sender_id',
    label: t('Sender'),
    value: draft.sender_id,
    onChange: (sender_id: string) => change({ sender_id }),
  }
  if (sandbox || organisation.mode === 'test') {
    return (
      <TextField {...shared} maxLength={11} placeholder={organisation.default_sender_id ?? t('Up to 11 characters')} />
    )
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
