import { useState } from 'react'
import type { TotpProposal } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { plural, Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Code } from '../../ui/CopyButton.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Section } from '../../ui/Page.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { YourPassword } from './Passkeys.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useReloadSession } from './reload-session.ts'

/** A code from an app, besides the password. */
export function TwoFactor() {
  const { session } = useSession()
  const [proposal, setProposal] = useState<TotpProposal>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const say = useSay()
  return (
    <Section
      title={t('Authenticator app')}
      lead={t('A code from an app, required after your password, and after single sign-on if the operator enables it.')}
      actions={
        <Badge
          status={session.user.totp ? t('on||two-factor login') : t('off||two-factor login')}
          tone={session.user.totp ? 'good' : 'calm'}
        />
      }
    >
      {proposal ? (
        <ConfirmCode
          proposal={proposal}
          onConfirmed={(recovery_codes) => {
            setProposal(undefined)
            setCodes(recovery_codes)
            if (recovery_codes.length === 0) say(t('The authenticator app is enabled.'))
          }}
        />
      ) : (
        <Switch onProposal={setProposal} />
      )}
      {codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
    </Section>
  )
}

function Switch({ onProposal }: { onProposal: (proposal: TotpProposal) => void }) {
  const { session } = useSession()
  const reload = useReloadSession()
  const say = useSay()
  const [password, setPassword] = useState('')
  const on = session.user.totp
  const write = useWrite(() => call(on ? 'DELETE' : 'POST', '/console/api/me/totp', { password }))
  return (
    <Form
      error={write.error}
      onSubmit={() =>
        write.mutate(undefined, {
          onSuccess: (proposal) => {
            if (proposal) return onProposal(proposal)
            setPassword('')
            reload()
            say(t('The authenticator app is disabled.'))
          },
        })
      }
    >
      {on && session.user.recovery_codes_left !== undefined && (
        <p>{plural(session.user.recovery_codes_left, '{n} recovery code is left.', '{n} recovery codes are left.')}</p>
      )}
      <YourPassword value={password} onChange={setPassword} />
      <FormActions>
        <Button type="submit" look={on ? 'danger' : 'plain'} busy={write.isPending}>
          {on ? t('Disable it') : t('Enable it')}
        </Button>
      </FormActions>
    </Form>
  )
}

function ConfirmCode({ proposal, onConfirmed }: { proposal: TotpProposal; onConfirmed: (codes: string[]) => void }) {
  const reload = useReloadSession()
  const [code, setCode] = useState('')
  const confirm = useWrite(() => call('POST', '/console/api/me/totp/confirm', { code }))
  return (
    <Form
      error={confirm.error}
      onSubmit={() =>
        confirm.mutate(undefined, {
          onSuccess: ({ recovery_codes }) => {
            reload()
            onConfirmed(recovery_codes)
          },
        })
      }
    >
      <p>
        <Rich
          text="Scan this code with your app, enter the secret below in it, or <a>open it in the app</a> on this device. Then enter the six digits that the app shows."
          a={(inner) => <a href={proposal.otpauth_url}>{inner}</a>}
        />
      </p>
      <QrCode text={proposal.otpauth_url} label={t('The secret as a QR code')} />
      <Code text={proposal.secret} label={t('Secret for the app')} />
      <TextField
        name="code"
        label={t('Code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
      />
      <FormActions>
        <Button look="main" type="submit" busy={confirm.isPending}>
          {t('Confirm')}
        </Button>
      </FormActions>
    </Form>
  )
}
