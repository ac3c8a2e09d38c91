import type { ShownKey } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { amountOrNull, Money, writtenAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { KEYS } from './keys.ts'

/** What a key with a limit has spent since midnight UTC, of its limit. */
export function Spending({ apiKey }: { apiKey: ShownKey }) {
  const { daily_spending_limit: limit, spent_today: spent = 0 } = apiKey
  if (limit === undefined) return <span className="soft">–</span>
  return (
    <>
      <Money amount={spent} /> / <Money amount={limit} />
    </>
  )
}

export function DailyLimitField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      name="daily_spending_limit"
      label={t('Daily spending limit')}
      hint={t('Charges beyond it are refused until midnight UTC. Empty: as much as the balance covers.')}
      optional
      inputMode="decimal"
      value={value}
      onChange={onChange}
    />
  )
}

export function LimitKey({ apiKey, onClose }: { apiKey: ShownKey; onClose: () => void }) {
  const say = useSay()
  const { id, hint, daily_spending_limit } = apiKey
  const draft = useDraft(`key-limit.${id}`, { daily: writtenAmount(daily_spending_limit) })
  const [{ daily }, change] = draft
  const write = useWrite(
    () => call('PATCH', `${KEYS}/${id}`, { daily_spending_limit: amountOrNull(daily) }),
    [KEYS, '/console/api/audit'],
  )
  return (
    <FormDialog
      title={t('Limit {name}', { name: apiKey.name ?? hint })}
      action={t('Save')}
      write={write}
      draft={draft}
      onDone={() => say(t('The limit is saved.'))}
      onClose={onClose}
    >
      <p>
        {t(
          'It counts messages, one-time passwords, airtime, lookups and campaigns that the key starts. Refunds do not raise what is left today. A key that replaces it shares the limit.',
        )}
      </p>
      <DailyLimitField value={daily} onChange={(next) => change({ daily: next })} />
    </FormDialog>
  )
}
