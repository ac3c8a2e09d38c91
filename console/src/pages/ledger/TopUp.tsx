import { useState } from 'react'
import { call } from '../../api.ts'
import { useOnce } from '../../read.ts'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { money, typedAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'

/** What the operator was paid, or a correction. */
export function TopUp({ onClose }: { onClose: () => void }) {
  const { organisation } = useSession()
  const say = useSay()
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const top = useOnce(
    (_: void, idempotency_key) =>
      call<{ balance: number }>(
        'POST',
        `/console/api/organisations/${organisation.id}/top-ups`,
        { ...(amount.trim() === '' ? {} : { amount: typedAmount(amount) }), reason },
        { idempotency_key },
      ),
    ['/balance', '/console/api/overview', '/console/api/audit'],
  )
  return (
    <Dialog title="Top up" onClose={onClose}>
      <Form
        error={top.error}
        onSubmit={() =>
          top.mutate(undefined, {
            onSuccess: ({ balance }) => {
              say(`The balance is now ${money(balance, organisation.currency)}.`)
              onClose()
            },
          })
        }
      >
        <TextField
          name="amount"
          label={`Amount in ${organisation.currency}`}
          inputMode="decimal"
          hint="A negative amount corrects the balance."
          value={amount}
          onChange={setAmount}
        />
        <TextField
          name="reason"
          label="Reason"
          hint="Stands in the ledger, for everybody who reads it."
          value={reason}
          onChange={setReason}
        />
        <FormActions>
          <Button look="main" type="submit" busy={top.isPending}>
            Book it
          </Button>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
