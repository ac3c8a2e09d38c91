import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assertion, Session } from '../../api-types.ts'
import type { ApiError } from '../../api.ts'
import { Outside } from '../../layout/Outside.tsx'
import { hasPasskeys, signWithPasskey } from '../../passkeys.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'

type Way = 'passkey' | 'code' | 'recovery'

/** The second factor, after a password or a provider. */
export function SecondStep({
  lead,
  leave,
  factors,
  submit,
  onEnter,
  onLeave,
}: {
  lead: string
  leave: string
  factors: readonly ('passkey' | 'code')[]
  submit: (factor: { code: string } | { passkey: Assertion }) => Promise<Session>
  onEnter: (session: Session) => void
  onLeave: () => void
}) {
  const ways: Way[] = [...factors.filter((factor) => factor === 'code' || hasPasskeys()), 'recovery']
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery')
  const [code, setCode] = useState('')
  const give = useMutation<Session, ApiError>({
    mutationFn: async () => submit(way === 'passkey' ? { passkey: await signWithPasskey('second_factor') } : { code }),
    onSuccess: onEnter,
  })
  return (
    <Outside title={t('One more step')} lead={lead}>
      <Form error={give.error} onSubmit={() => give.mutate()} label={t('Confirm that it is you')}>
        {way !== 'passkey' && <CodeField key={way} recovery={way === 'recovery'} value={code} onChange={setCode} />}
        <FormActions>
          <Button look="main" type="submit" autoFocus={way === 'passkey'} busy={give.isPending}>
            {way === 'passkey' ? t('Use a passkey') : t('Log in')}
          </Button>
          <Button onClick={onLeave}>{leave}</Button>
        </FormActions>
      </Form>
      <div>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <p key={other}>
              <Button
                look="bare"
                onClick={() => {
                  setWay(other)
                  setCode('')
                  give.reset()
                }}
              >
                {titleOf(other)}
              </Button>
            </p>
          ))}
      </div>
    </Outside>
  )
}

function titleOf(way: Way): string {
  if (way === 'passkey') return t('Use a passkey')
  return way === 'code' ? t('Use the authenticator app') : t('Use a recovery code')
}

/** Recovery codes have letters, so they need the whole keyboard of a phone. */
function CodeField({
  recovery,
  value,
  onChange,
}: {
  recovery: boolean
  value: string
  onChange: (code: string) => void
}) {
  return recovery ? (
    <TextField
      name="code"
      label={t('Recovery code')}
      hint={t('One of the recovery codes that you saved when you enabled two-factor login. Each works once.')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      value={value}
      onChange={onChange}
    />
  ) : (
    <TextField
      name="code"
      label={t('Code')}
      hint={t('Six digits from your authenticator app.')}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      value={value}
      onChange={onChange}
    />
  )
}
