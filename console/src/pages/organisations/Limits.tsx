import type { ShownOrganisation } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { number, t } from '../../text/text.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { typedAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'

type Limited = Pick<ShownOrganisation, 'id' | 'name' | 'requests_per_s' | 'messages_per_s' | 'credit_limit'>

const LIMITS = [
  {
    name: 'requests_per_s',
    label: t('API requests per second'),
    hint: t('Empty: unlimited.'),
    words: (rate: string) => t('{rate} requests/s', { rate }),
  },
  {
    name: 'messages_per_s',
    label: t('Recipients per second'),
    hint: t('Empty: unlimited.'),
    words: (rate: string) => t('{rate} recipients/s', { rate }),
  },
  {
    name: 'credit_limit',
    label: t('Credit limit'),
    hint: t('How far below zero the balance may fall. Empty: prepaid.'),
    words: (amount: string) => t('credit {amount}', { amount }),
  },
] as const

export function limitText(organisation: Limited): string {
  const parts = LIMITS.flatMap(({ name, words }) => {
    const limit = organisation[name]
    return limit === undefined ? [] : [words(number(limit))]
  })
  return parts.join(', ') || '–'
}

/** Limits the requests, messages and credit of an organisation. */
export function LimitDialog({ organisation, onClose }: { organisation: Limited; onClose: () => void }) {
  const say = useSay()
  const { id, name } = organisation
  const draft = useDraft(`limits.${id}`, {
    requests_per_s: String(organisation.requests_per_s ?? ''),
    messages_per_s: String(organisation.messages_per_s ?? ''),
    credit_limit: String(organisation.credit_limit ?? ''),
  })
  const [typed, change] = draft
  const write = useWrite(
    () =>
      call('POST', `/console/api/organisations/${id}/limits`, {
        requests_per_s: limitOf(typed.requests_per_s),
        messages_per_s: limitOf(typed.messages_per_s),
        credit_limit: limitOf(typed.credit_limit) ?? 0,
      }),
    ['/console/api/organisations', '/console/api/audit'],
  )
  return (
    <FormDialog
      title={t('Limit {name}', { name })}
      action={t('Save')}
      write={write}
      draft={draft}
      onDone={() => say(t('The limits are saved.'))}
      onClose={onClose}
    >
      <p>
        {t(
          'Requests above a limit are refused with 429 and not charged; campaigns slow down. The test organisation has the same limits, counted separately.',
        )}
      </p>
      {LIMITS.map((limit) => (
        <TextField
          key={limit.name}
          name={limit.name}
          label={limit.label}
          hint={limit.hint}
          optional
          inputMode="decimal"
          value={typed[limit.name]}
          onChange={(value) => change({ [limit.name]: value })}
        />
      ))}
    </FormDialog>
  )
}

function limitOf(text: string): number | string | null {
  return text.trim() === '' ? null : typedAmount(text)
}
