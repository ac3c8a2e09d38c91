import { useState } from 'react'
import type { OtpRecord } from '../../../../src/otp/schema.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { VerifyForm } from './VerifyOtp.tsx'

/** Sends a token, then asks for what the person has read. */
export function RequestOtp({ onClose }: { onClose: () => void }) {
  const [recipient, setRecipient] = useState('')
  const [length, setLength] = useState('6')
  const [expires_in, setExpiresIn] = useState('15')
  const [channel, setChannel] = useState('sms')
  const request = useWrite(
    () =>
      call<OtpRecord>('POST', '/otp/request_token', {
        recipient,
        length: Number(length),
        expires_in: Number(expires_in),
        channel,
      }),
    ['/console/api/otps', '/console/api/overview', '/console/api/checklist'],
  )
  if (request.data) {
    return (
      <Dialog title="The token is on its way" onClose={onClose}>
        <VerifyForm otp={request.data} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Request a token" onClose={onClose}>
      <Form error={request.error} onSubmit={() => request.mutate()}>
        <TextField
          name="recipient"
          label="Phone number"
          type="tel"
          value={recipient}
          onChange={setRecipient}
          placeholder="0803 123 4567"
        />
        <div className="fields">
          <SelectField
            name="length"
            label="Digits"
            value={length}
            onChange={setLength}
            choices={['4', '5', '6', '7', '8'].map((value) => ({ value, label: value }))}
          />
          <TextField
            name="expires_in"
            label="Minutes valid"
            inputMode="numeric"
            value={expires_in}
            onChange={setExpiresIn}
          />
          <SelectField
            name="channel"
            label="Channel"
            value={channel}
            onChange={setChannel}
            choices={[
              { value: 'sms', label: 'SMS' },
              { value: 'whatsapp', label: 'WhatsApp' },
            ]}
          />
        </div>
        <FormActions>
          <Button look="main" type="submit" busy={request.isPending}>
            Send the token
          </Button>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
