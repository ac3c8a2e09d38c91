import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useOnce } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField, ChannelField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { VerifyForm } from './VerifyOtp.tsx'

/** Sends a token, then asks for what the person has read. */
export function RequestOtp({ onClose }: { onClose: () => void }) {
  const draft = useDraft('otp', { recipient: '', length: '6', expires_in: '15', channel: 'sms' })
  const [{ recipient, length, expires_in, channel }, change] = draft
  const request = useOnce(
    t('One-time password'),
    (_: void, once) => {
      const wish = { recipient, length: Number(length), expires_in: Number(expires_in), channel }
      return call('POST', '/otp/request_token', wish, once)
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
    <FormDialog
      title={t('Request a token')}
      action={t('Send the token')}
      write={request}
      draft={draft}
      onClose={onClose}
    >
      <TextField
        name="recipient"
        label={t('Phone number')}
        type="tel"
        value={recipient}
        onChange={(next) => change({ recipient: next })}
        placeholder="0803 123 4567"
      />
      <div className="fields">
        <SelectField
          name="length"
          label={t('Digits')}
          value={length}
          onChange={(next) => change({ length: next })}
          choices={['4', '5', '6', '7', '8'].map((value) => ({ value, label: value }))}
        />
        <TextField
          name="expires_in"
          label={t('Valid for (minutes)')}
          inputMode="numeric"
          value={expires_in}
          onChange={(next) => change({ expires_in: next })}
        />
        <ChannelField value={channel} onChange={(next) => change({ channel: next })} />
      </div>
    </FormDialog>
  )
}
