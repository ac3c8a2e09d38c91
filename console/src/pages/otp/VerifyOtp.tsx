import { useState } from 'react'
import type { OtpRecord } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useRefresh, useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Phone } from '../../ui/Phone.tsx'

export function VerifyOtp({ otp, onClose }: { otp: OtpRecord; onClose: () => void }) {
  return (
    <Dialog title={t('Verify a token')} onClose={onClose}>
      <VerifyForm otp={otp} onDone={onClose} />
    </Dialog>
  )
}

/** What the person typed; a wrong one counts as a try. */
export function VerifyForm({ otp, onDone }: { otp: OtpRecord; onDone: () => void }) {
  const [token, setToken] = useState('')
  const refresh = useRefresh()
  const stale = ['/console/api/otps', '/console/api/overview'] as const
  const verify = useWrite(() => call('POST', '/otp/verify', { id: otp.id, token: token.trim() }), stale)
  if (verify.data) {
    return (
      <div className="stack">
        <p role="status">
          <Badge status={verify.data.status_desc.toLowerCase()} />{' '}
          {t('The token is verified and cannot be used again.')}
        </p>
        <FormActions>
          <Button look="main" onClick={onDone}>
            {t('Close')}
          </Button>
        </FormActions>
      </div>
    )
  }
  return (
    <Form
      error={verify.error}
      onSubmit={() => verify.mutate(undefined, { onError: () => refresh('/console/api/otps') })}
    >
      <p>
        <Rich
          text="Sent to {phone}. Enter the code that the phone shows."
          values={{ phone: <Phone number={otp.recipient} /> }}
        />
      </p>
      <TextField
        name="token"
        label={t('Token||one-time password')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={token}
        onChange={setToken}
      />
      <FormActions>
        <Button look="main" type="submit" busy={verify.isPending}>
          {t('Verify')}
        </Button>
        <a className="button" href="#/phones" target="_blank" rel="noreferrer">
          {t('See the phones')}
        </a>
      </FormActions>
    </Form>
  )
}
