import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '../../../../src/http/console/people/schema.ts'
import { ApiError, call } from '../../api.ts'
import { Outside } from '../../layout/Outside.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'

/** The way in. The two-factor code is asked for once the service says that it wants one. */
export default function Login({ onEnter }: { onEnter: (session: Session) => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const login = useMutation<Session, ApiError>({
    mutationFn: () => call('POST', '/console/api/login', { email, password, ...(code ? { code } : {}) }),
    onSuccess: onEnter,
  })
  const wants_code = code !== '' || login.error?.faults.some(({ field }) => field === 'code') === true
  return (
    <Outside
      title="Log in"
      lead="With the address you were invited under. Without an invitation, ask whoever runs this installation."
    >
      <Form error={login.error} onSubmit={() => login.mutate()} label="Log in">
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={setEmail}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        {wants_code && (
          <TextField
            name="code"
            label="Code"
            hint="Six digits from your authenticator app, or one of your recovery codes."
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={setCode}
          />
        )}
        <FormActions>
          <Button look="main" type="submit" busy={login.isPending}>
            Log in
          </Button>
        </FormActions>
      </Form>
    </Outside>
  )
}
