import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '../../api-types.ts'
import { call, type ApiError } from '../../api.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'

/** Kept in memory only, until the second factor is given too. */
export type Proven = { email: string; password: string; factors: ('passkey' | 'code')[] }

const FACTORS = ['passkey', 'code'] as const

export function ByPassword({
  first,
  onEnter,
  onProven,
}: {
  first: boolean
  onEnter: (session: Session) => void
  /** The password is right, and the account has a second factor. */
  onProven: (proven: Proven) => void
}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const login = useMutation<Session, ApiError>({
    mutationFn: () => call('POST', '/console/api/login', { email, password }),
    onSuccess: onEnter,
    onError: ({ faults }) => {
      const factors = FACTORS.filter((factor) => faults.some(({ field }) => field === factor))
      if (factors.length > 0) onProven({ email, password, factors })
    },
  })
  return (
    <Form error={login.error} onSubmit={() => login.mutate()} label={t('Log in')}>
      <TextField
        name="email"
        label={t('Email')}
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
      <FormActions>
        <Button look="main" type="submit" busy={login.isPending}>
          {t('Log in')}
        </Button>
      </FormActions>
    </Form>
  )
}
