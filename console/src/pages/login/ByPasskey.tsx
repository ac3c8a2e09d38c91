import { useMutation } from '@tanstack/react-query'
import type { Session } from '../../api-types.ts'
import { call, type ApiError } from '../../api.ts'
import { signWithPasskey } from '../../passkeys.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Refused } from '../../ui/Form.tsx'

/** The passkey says who logs in, so nothing is typed. */
export function ByPasskey({ onEnter }: { onEnter: (session: Session) => void }) {
  const login = useMutation<Session, ApiError>({
    mutationFn: async () => call('POST', '/console/api/sign-in/passkey', { passkey: await signWithPasskey('sign_in') }),
    onSuccess: onEnter,
  })
  return (
    <div className="login-passkey">
      <Button icon="keys" busy={login.isPending} onClick={() => login.mutate()}>
        {t('Log in with a passkey')}
      </Button>
      {login.error && <Refused error={login.error} faults={[]} />}
    </div>
  )
}
