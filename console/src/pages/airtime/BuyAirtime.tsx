import { useState } from 'react'
import { call } from '../../api.ts'
import { useOnce } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { typedAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'

const NETWORKS = ['MTN', 'Airtel', 'Glo', '9mobile', 'NTEL']

export function BuyAirtime({ onClose }: { onClose: () => void }) {
  const { organisation } = useSession()
  const say = useSay()
  const [network, setNetwork] = useState('MTN')
  const [recipient, setRecipient] = useState('')
  const [amount, setAmount] = useState('')
  const [external_ref, setExternalRef] = useState('')
  const buy = useOnce(
    (_: void, idempotency_key) => {
      const body = {
        network,
        recipient,
        ...(amount.trim() === '' ? {} : { amount: typedAmount(amount) }),
        ...(external_ref ? { external_ref } : {}),
      }
      return call('POST', '/airtime/buy', body, { idempotency_key })
    },
    ['/airtime', '/console/api/overview', '/balance'],
  )
  return (
    <FormDialog
      title={t('Buy airtime')}
      action={t('Buy')}
      write={buy}
      onDone={() => {
        say(t('Purchase in progress.'))
      }}
      onClose={onClose}
    >
      <TextField
        name="recipient"
        label={t('Phone number')}
        type="tel"
        value={recipient}
        onChange={setRecipient}
        placeholder="0803 123 4567"
      />
      <div className="fields">
        <SelectField
          name="network"
          label={t('Network')}
          value={network}
          onChange={setNetwork}
          choices={NETWORKS.map((value) => ({ value, label: value }))}
        />
        <TextField
          name="amount"
          label={t('Amount in {currency}', { currency: organisation.currency })}
          inputMode="decimal"
          value={amount}
          onChange={setAmount}
        />
      </div>
      <TextField
        name="external_ref"
        label={t('Your reference')}
        optional
        value={external_ref}
        onChange={setExternalRef}
      />
    </FormDialog>
  )
}
