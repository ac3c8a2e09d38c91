import { useState } from 'react'
import type { ShownOrganisation } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { number, t } from '../../text/text.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'

type Limited = Pick<ShownOrganisation, 'id' | 'name' | 'requests_per_s' | 'messages_per_s' | 'credit_limit'>

export function limitText({ requests_per_s, messages_per_s, credit_limit }: Limited): string {
  const parts = [
    requests_per_s !== undefined && t('{rate} requests/s', { rate: number(requests_per_s) }),
    messages_per_s !== undefined && t('{rate} messages/s', { rate: number(messages_per_s) }),
    credit_limit !== undefined && t('credit {amount}', { amount: number(credit_limit) }),
  ]
  return parts.filter(Boolean).join(', ') || '–'
}

/** Limits the requests, messages and credit of an organisation. */
export function LimitDialog({ organisation, onClose }: { organisation: Limited; onClose: () => void }) {
  const say = useSay()
  const { id, name } = organisation
  const [requests, setRequests] = useState(textOf(organisation.requests_per_s))
  const [messages, setMessages] = useState(textOf(organisation.messages_per_s))
  const [credit, setCredit] = useState(textOf(organisation.credit_limit))
  const body = {
    requests_per_s: rateOf(requests),
    messages_per_s: rateOf(messages),
    credit_limit: rateOf(credit) ?? 0,
  }
  const write = useWrite(
    () => call('POST', `/console/api/organisations/${id}/limits`, body),
    ['/console/api/organisations', '/console/api/audit'],
  )
  return (
    <FormDialog
      title={t('Limit {name}', { name })}
      action={t('Save')}
      write={write}
      onDone={() => say(t('The limits are saved.'))}
      onClose={onClose}
    >
      <p>
        {t(
          'More is refused with 429 and charged nothing; campaigns wait. The test organisation has the same limits for itself.',
        )}
      </p>
      <TextField
        name="requests_per_s"
        label={t('API requests per second')}
        hint={t('Empty: unlimited.')}
        optional
        inputMode="decimal"
        value={requests}
        onChange={setRequests}
      />
      <TextField
        name="messages_per_s"
        label={t('Recipients per second')}
        hint={t('Empty: unlimited.')}
        optional
        inputMode="decimal"
        value={messages}
        onChange={setMessages}
      />
      <TextField
        name="credit_limit"
        label={t('Credit limit')}
        hint={t('How far below zero the balance may fall. Empty: prepaid.')}
        optional
        inputMode="decimal"
        value={credit}
        onChange={setCredit}
      />
    </FormDialog>
  )
}

const textOf = (rate: number | undefined): string => (rate === undefined ? '' : String(rate))

/** What is no number goes to the service as it is, which says so beside the field. */
function rateOf(text: string): number | null {
  const given = text.trim().replace(',', '.')
  if (given === '') return null
  return Number.isNaN(Number(given)) ? -1 : Number(given)
}
