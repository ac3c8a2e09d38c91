import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session, SignInWays } from '../../api-types.ts'
import { ApiError, call } from '../../api.ts'
import { Outside } from '../../layout/Outside.tsx'
import { inWords } from '../../text/in-words.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadingOutside, Trouble } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import './login.css'

type Props = { onEnter: (session: Session) => void }

/** The way in: by a provider, by a password, or with the code that is still missing. */
export default function Login({ onEnter }: Props) {
  const ways = useQuery<SignInWays, ApiError>({
    queryKey: ['sign-in'],
    queryFn: readWays,
    staleTime: Infinity,
  })
  const [elsewhere, setElsewhere] = useState(false)
  if (ways.isPending) return <LoadingOutside />
  if (ways.error) return <Trouble error={ways.error} />
  const { password, providers, owes_code, sentence } = ways.data
  if (owes_code && !elsewhere) return <GiveCode onEnter={onEnter} onLeave={() => setElsewhere(true)} />
  return (
    <Outside
      title={t('Log in')}
      lead={
        password
          ? t('With the address you were invited with. Without an invitation, ask the operator of this installation.')
          : t('With an account from another service.')
      }
    >
      {sentence !== undefined && (
        <p className="login-sentence" role="alert">
          {sentence}
        </p>
      )}
      {providers.length > 0 && (
        <div className="login-providers">
          {providers.map(({ name, label }) => (
            <a key={name} className="button" href={`/console/sign-in/${name}`}>
              {label}
            </a>
          ))}
        </div>
      )}
      {password && <ByPassword first={providers.length === 0} onEnter={onEnter} />}
    </Outside>
  )
}

async function readWays(): Promise<SignInWays> {
  const ways = await call('GET', '/console/api/sign-in')
  return ways.sentence === undefined ? ways : { ...ways, sentence: (await inWords())(ways.sentence) }
}

/** The two-factor code is asked for once the service says that it wants one. */
function ByPassword({ first, onEnter }: Props & { first: boolean }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const login = useMutation<Session, ApiError>({
    mutationFn: () => call('POST', '/console/api/login', { email, password, ...(code ? { code } : {}) }),
    onSuccess: onEnter,
  })
  const wants_code = code !== '' || login.error?.faults.some(({ field }) => field === 'code') === true
  return (
    <Form error={login.error} onSubmit={() => login.mutate()} label={t('Log in')}>
      <TextField
        name="email"
        label={t('E-mail')}
        type="email"
        autoComplete="username"
        autoFocus={first}
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        name="password"
        label={t('Password')}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      {wants_code && <Code value={code} onChange={setCode} />}
      <FormActions>
        <Button look="main" type="submit" busy={login.isPending}>
          {t('Log in')}
        </Button>
      </FormActions>
    </Form>
  )
}

function GiveCode({ onEnter, onLeave }: Props & { onLeave: () => void }) {
  const [code, setCode] = useState('')
  const give = useMutation<Session, ApiError>({
    mutationFn: () => call('POST', '/console/api/sign-in/code', { code }),
    onSuccess: onEnter,
  })
  return (
    <Outside
      title={t('One more step')}
      lead={t('Your provider has signed you in. This installation also requires your code.')}
    >
      <Form error={give.error} onSubmit={() => give.mutate()} label={t('Confirm code')}>
        <Code value={code} onChange={setCode} />
        <FormActions>
          <Button look="main" type="submit" busy={give.isPending}>
            {t('Log in')}
          </Button>
          <Button onClick={onLeave}>{t('Sign in another way')}</Button>
        </FormActions>
      </Form>
    </Outside>
  )
}

function Code({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  return (
    <TextField
      name="code"
      label={t('Code')}
      hint={t('Six digits from your authenticator app, or one of your recovery codes.')}
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      onChange={onChange}
    />
  )
}
