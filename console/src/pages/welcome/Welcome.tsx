import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session, Welcome as Invitation } from '../../api-types.ts'
import { ApiError, call } from '../../api.ts'
import { Outside } from '../../layout/Outside.tsx'
import { go } from '../../router.tsx'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadingOutside } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions, Refused } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'

type Props = { token: string; onEnter: (session: Session) => void }

/** The page of a one-time link: the invited user sets a password and is logged in. */
export default function Welcome({ token, onEnter }: Props) {
  const invitation = useQuery<Invitation, ApiError>({
    queryKey: ['invitation', token],
    queryFn: () => call('POST', '/console/api/welcome/check', { token }),
    staleTime: Infinity,
  })
  if (invitation.isPending) return <LoadingOutside />
  if (invitation.error) {
    return (
      <Outside title={t('This link does not work any more')} lead={t('Links work once and expire.')}>
        <Refused error={invitation.error} faults={[]} />
        <p>
          <Rich
            text="Request a new one, or <a>log in</a> if you have already used it."
            a={(inner) => <a href="#/">{inner}</a>}
          />
        </p>
      </Outside>
    )
  }
  if (invitation.data.purpose === 'enter') return <Enter invitation={invitation.data} token={token} onEnter={onEnter} />
  return <Choose invitation={invitation.data} token={token} onEnter={onEnter} />
}

/** A link of the command line asks for nothing; but looking at it must not use it up. */
function Enter({ invitation, token, onEnter }: Props & { invitation: Invitation }) {
  const enter = useMutation<Session, ApiError>({
    mutationFn: () => call('POST', '/console/api/enter', { token }),
    onSuccess: (session) => {
      go('/', { replace: true })
      onEnter(session)
    },
  })
  return (
    <Outside
      title={t('Welcome back')}
      lead={t('This link logs you in as {email}, for one hour.', { email: invitation.email ?? '' })}
    >
      <Form error={enter.error} onSubmit={() => enter.mutate()} label={t('Log in')}>
        <FormActions>
          <Button look="main" type="submit" busy={enter.isPending}>
            {t('Log in')}
          </Button>
        </FormActions>
      </Form>
    </Outside>
  )
}

function Choose({ invitation, token, onEnter }: Props & { invitation: Invitation }) {
  const [email, setEmail] = useState(invitation.email ?? '')
  const [name, setName] = useState(invitation.name ?? '')
  const [password, setPassword] = useState('')
  const first = invitation.email === undefined
  const reset = invitation.purpose === 'reset'
  const accept = useMutation<Session, ApiError>({
    mutationFn: () =>
      call('POST', '/console/api/welcome', {
        token,
        password,
        ...(first ? { email } : {}),
        ...(name ? { name } : {}),
      }),
    onSuccess: (session) => {
      go('/', { replace: true })
      onEnter(session)
    },
  })
  return (
    <Outside title={reset ? t('A new password') : t('Welcome')} lead={sentence(invitation)}>
      <Form error={accept.error} onSubmit={() => accept.mutate()} label={t('Choose a password')}>
        <TextField
          name="email"
          label={t('Email')}
          type="email"
          autoComplete="username"
          autoFocus={first}
          readOnly={!first}
          value={email}
          onChange={setEmail}
        />
        {!reset && (
          <TextField name="name" label={t('Your name')} optional autoComplete="name" value={name} onChange={setName} />
        )}
        <PasswordField
          name="password"
          label={t('Password')}
          hint={t('At least 12 characters. A short sentence is easy to remember.')}
          autoComplete="new-password"
          autoFocus={!first}
          value={password}
          onChange={setPassword}
        />
        <FormActions>
          <Button look="main" type="submit" busy={accept.isPending}>
            {reset ? t('Set the password') : t('Enter||the console')}
          </Button>
        </FormActions>
      </Form>
    </Outside>
  )
}

function sentence({ email, organisation_name, purpose }: Invitation): string {
  if (purpose === 'reset') return t('Choose a new password. All your other sessions will end.')
  if (email === undefined) return t('You are the first user and the operator of this installation.')
  return organisation_name
    ? t('You were invited to {organisation_name}. Choose a password, and you are logged in.', { organisation_name })
    : t('You were invited. Choose a password, and you are logged in.')
}
