import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Sessions } from './Sessions.tsx'
import { SpokenLanguage } from './SpokenLanguage.tsx'
import { TwoFactor } from './TwoFactor.tsx'

/** The user's account: name, language, password, second factors and sessions. */
export default function Account() {
  const { session } = useSession()
  return (
    <Page title={t('Your account')} lead={session.user.email}>
      <div className="split">
        <div className="stack">
          <Name />
          <SpokenLanguage />
          {session.user.provider === undefined && session.passwords && <Password />}
          {session.user.provider !== undefined && (
            <Section title={t('Login method')}>
              <p>
                {t('You log in with {provider}. There is no password to change here.', {
                  provider: session.user.provider,
                })}
              </p>
            </Section>
          )}
        </div>
        <TwoFactor />
      </div>
      <Passkeys />
      <Sessions />
    </Page>
  )
}

function Name() {
  const { session, enter } = useSession()
  const say = useSay()
  const [name, setName] = useState(session.user.name ?? '')
  const rename = useWrite(() => call('PATCH', '/console/api/me', { name }))
  return (
    <Section title={t('Name')}>
      <Form
        error={rename.error}
        onSubmit={() =>
          rename.mutate(undefined, {
            onSuccess: ({ user }) => {
              enter({ ...session, user })
              say(t('Your name is changed.'))
            },
          })
        }
      >
        <TextField name="name" label={t('Your name')} autoComplete="name" value={name} onChange={setName} />
        <FormActions>
          <Button type="submit" busy={rename.isPending}>
            {t('Change the name')}
          </Button>
        </FormActions>
      </Form>
    </Section>
  )
}

function Password() {
  const { enter } = useSession()
  const say = useSay()
  const [current_password, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useWrite(
    () => call('POST', '/console/api/me/password', { current_password, password }),
    ['/console/api/me'],
  )
  return (
    <Section title={t('Password')} lead={t('Changing it ends all your other sessions.')}>
      <Form
        error={change.error}
        onSubmit={() =>
          change.mutate(undefined, {
            onSuccess: (session) => {
              enter(session)
              setCurrent('')
              setPassword('')
              say(t('Your password is changed.'))
            },
          })
        }
      >
        <PasswordField
          name="current_password"
          label={t('Current password')}
          autoComplete="current-password"
          value={current_password}
          onChange={setCurrent}
        />
        <PasswordField
          name="password"
          label={t('New password')}
          hint={t('At least 12 characters.')}
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
        <FormActions>
          <Button type="submit" busy={change.isPending}>
            {t('Change the password')}
          </Button>
        </FormActions>
      </Form>
    </Section>
  )
}
