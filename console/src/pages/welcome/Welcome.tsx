import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session, Welcome as Invitation } from '../../../../src/http/console/people/schema.ts'
import { ApiError, call } from '../../api.ts'
import { Outside } from '../../layout/Outside.tsx'
import { go } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions, Refused } from '../../ui/Form.tsx'

type Props = { token: string; onEnter: (session: Session) => void }

/** Behind a one-time link: who was invited chooses a password and is in. */
export default function Welcome({ token, onEnter }: Props) {
  const invitation = useQuery<Invitation, ApiError>({
    queryKey: ['invitation', token],
    queryFn: () => call('POST', '/console/api/welcome/check', { token }),
    staleTime: Infinity,
  })
  if (invitation.isPending) return <Loading />
  if (invitation.error) {
    return (
      <Outside title="This link does not work any more" lead="It can be used once, and only for a while.">
        <Refused error={invitation.error} faults={[]} />
        <p>
          Ask for a new one, or <a href="#/">log in</a> if you have used it already.
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
    <Outside title="Welcome back" lead={`This link lets you in as ${invitation.email}, for one hour.`}>
      <Form error={enter.error} onSubmit={() => enter.mutate()} label="Come in">
        <FormActions>
          <Button look="main" type="submit" busy={enter.isPending}>
            Come in
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
    <Outside title={reset ? 'A new password' : 'Welcome'} lead={sentence(invitation)}>
      <Form error={accept.error} onSubmit={() => accept.mutate()} label="Choose a password">
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus={first}
          readOnly={!first}
          value={email}
          onChange={setEmail}
        />
        {!reset && (
          <TextField name="name" label="Your name" optional autoComplete="name" value={name} onChange={setName} />
        )}
        <TextField
          name="password"
          label="Password"
          hint="At least 12 characters. A sentence is easier to keep in mind than a riddle."
          type="password"
          autoComplete="new-password"
          autoFocus={!first}
          value={password}
          onChange={setPassword}
        />
        <FormActions>
          <Button look="main" type="submit" busy={accept.isPending}>
            {reset ? 'Set the password' : 'Enter'}
          </Button>
        </FormActions>
      </Form>
    </Outside>
  )
}

function sentence({ email, organisation_name, purpose }: Invitation): string {
  if (purpose === 'reset') return 'Choose a new password. All your other sessions end.'
  if (email === undefined) return 'You are the first here, and the operator of this installation.'
  return `You were invited${organisation_name ? ` to ${organisation_name}` : ''}. Choose a password and you are in.`
}
