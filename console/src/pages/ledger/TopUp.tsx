import { useState } from 'react'
import { call } from '../../api.ts'
import { useOnce } from '../../read.ts'
import { t } from '../../text/text.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { money, typedAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'

/** What the operator was paid, or a correction. */
export function TopUp({
  organisation,
  onClose,
}: {
  organisation: { id: string; currency: string; name: string }
  onClose: () => void
}) {
  const say = useSay()
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const top = useOnce(
    t('Top-up'),
    (_: void, once) =>
      call(
        'POST',
        `/console/api/organisations/${organisation.id}/top-ups`,
        { ...(amount.trim() === '' ? {} : { amount: typedAmount(amount) }), reason },
        once,
      ),
    ['/balance', '/console/api/overview', '/console/api/audit', '/console/api/organisations'],
  )
  return (
    <FormDialog
      title={t('Top up {name}', { name: organisation.name })}
      action={t('Record it')}
      write={top}
      onDone={({ balance }) => {
        say(t('The balance is now {amount}.', { amount: money(balance, organisation.currency) }))
      }}
      onClose={onClose}
    >
      <TextField
        name="amount"
        label={t('Amount in {currency}', { currency: organisation.currency })}
        inputMode="decimal"
        hint={t('A negative amount corrects the balance.')}
        value={amount}
        onChange={setAmount}
      />
      <TextField
        name="reason"
        label={t('Reason')}
        hint={t('Shown in the ledger.')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}
