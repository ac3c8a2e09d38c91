import { useState } from 'react'
import { call } from '../../api.ts'
import { useOnce } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { VerifyForm } from './VerifyOtp.tsx'

/** Sends a token, then asks for what the person has read. */
export function RequestOtp({ onClose }: { onClose: () => void }) {
  const [recipient, setRecipient] = useState('')
  const [length, setLength] = useState('6')
  const [expires_in, setExpiresIn] = useState('15')
  const [channel, setChannel] = useState('sms')
  const request = useOnce(
    (_: void, idempotency_key) => {
      const wish = { recipient, length: Number(length), expires_in: Number(expires_in), channel }
      return call('POST', '/otp/request_token', wish, { idempotency_key })
    },
    ['/console/api/otps', '/console/api/overview', '/console/api/checklist'],
  )
  if (request.data) {
    return (
      <Dialog title={t('Token sent')} onClose={onClose}>
        <VerifyForm otp={request.data} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <FormDialog title={t('Request a token')} action={t('Send the token')} write={request} onClose={onClose}>
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
          name="length"
          label={t('Digits')}
          value={length}
          onChange={setLength}
          choices={['4', '5', '6', '7', '8'].map((value) => ({ value, label: value }))}
        />
        <TextField
          name="expires_in"
          label={t('Valid for (minutes)')}
          inputMode="numeric"
          value={expires_in}
          onChange={setExpiresIn}
        />
        <SelectField
          name="channel"
          label={t('Channel')}
          value={channel}
          onChange={setChannel}
          choices={[
            { value: 'sms', label: 'SMS' },
            { value: 'whatsapp', label: 'WhatsApp' },
          ]}
        />
      </div>
    </FormDialog>
  )
}
