import type { ReactNode } from 'react'
import type { ShownPhoneCarrier } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Code } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/Form.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { PHONES } from './binds.ts'

/** What is typed into the app on a phone, or read by its camera and pasted. */
export function PairPhone({ shown, onClose }: { shown: ShownPhoneCarrier; onClose: () => void }) {
  const say = useSay()
  const { carrier, address, token } = shown
  const rotate = useWrite(() => call('POST', `${PHONES}/${encodeURIComponent(carrier)}/token`, {}), [PHONES])
  return (
    <Dialog title={t('Add a phone to {carrier}', { carrier })} wide onClose={onClose}>
      <p>
        <Rich
          text="Install SMSGate (capcom6/android-sms-gateway) on an Android phone. In its settings, under <b>Cloud Server</b>, put in these two, choose <b>SSE only</b> as notification channel, switch the cloud server on and start it. The phone’s camera reads the codes as texts to paste."
          b={(inner: ReactNode) => <b>{inner}</b>}
        />
      </p>
      {!address.startsWith('https:') && (
        <p role="note">
          <Rich
            text="This URL is not https. The app from the store requires https; set the URL in <mono>public_url</mono>."
            mono={(inner: ReactNode) => <span className="mono">{inner}</span>}
          />
        </p>
      )}
      <div className="pairing">
        <div>
          <h3>API URL</h3>
          <QrCode text={address} label={t('The server address as a QR code')} />
          <Code text={address} label={t('Server address')} />
        </div>
        <div>
          <h3>Private Token</h3>
          <QrCode text={token} label={t('The private token as a QR code')} />
          <Code text={token} label={t('Private token')} />
        </div>
      </div>
      <p className="soft">
        {t(
          'Any phone with the token can join and read pending messages. A new token locks out phones that have not joined yet.',
        )}
      </p>
      <FormActions>
        <Button
          busy={rotate.isPending}
          onClick={() => rotate.mutate(undefined, { onSuccess: () => say(t('There is a new token.')) })}
        >
          {t('New token')}
        </Button>
        <Button onClick={onClose}>{t('Close')}</Button>
      </FormActions>
    </Dialog>
  )
}
