import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session, SignInWays } from '../../api-types.ts'
import { call, type ApiError } from '../../api.ts'
import { Outside } from '../../layout/Outside.tsx'
import { hasPasskeys } from '../../passkeys.ts'
import { inWords } from '../../text/in-words.ts'
import { t } from '../../text/text.ts'
import { LoadingOutside, Trouble } from '../../ui/Empty.tsx'

import { ByPasskey } from './ByPasskey.tsx'
import { ByPassword, type Proven } from './ByPassword.tsx'
import { SecondStep } from './SecondStep.tsx'
import './login.css'

/** `ended`: the session of this browser ended without a logout. */
type Props = { ended: boolean; onEnter: (session: Session) => void }

/** Logging in by a provider or a password, and the second factor as a step of its own. */
export default function Login({ ended, onEnter }: Props) {
  const ways = useQuery<SignInWays, ApiError>({
    queryKey: ['sign-in'],
    queryFn: readWays,
    staleTime: Infinity,
  })
  const [elsewhere, setElsewhere] = useState(false)
  const [proven, setProven] = useState<Proven>()
  if (ways.isPending) return <LoadingOutside />
  if (ways.error) return <Trouble error={ways.error} />
  const { password, providers, owes, sentence } = ways.data
  if (proven) {
    return (
      <SecondStep
        lead={t('To log in as {email}, confirm that it is you.', { email: proven.email })}
        leave={t('Back')}
        factors={proven.factors}
        submit={(factor) =>
          call('POST', '/console/api/login', { email: proven.email, password: proven.password, ...factor })
        }
        onEnter={onEnter}
        onLeave={() => setProven(undefined)}
      />
    )
  }
  if (owes.length > 0 && !elsewhere) {
    return (
      <SecondStep
        lead={t('Your provider has confirmed your identity. This installation also requires your second factor.')}
        leave={t('Log in another way')}
        factors={owes}
        submit={(factor) => call('POST', '/console/api/sign-in/code', factor)}
        onEnter={onEnter}
        onLeave={() => setElsewhere(true)}
      />
    )
  }
  return (
    <Outside
      title={t('Log in')}
      lead={
        password
          ? t('With the address you were invited with. Without an invitation, ask the operator of this installation.')
          : t('With an account from another service.')
      }
    >
      {ended && (
        <p className="login-sentence" role="status">
          {t('Your session has ended. Log in to continue where you were: what you wrote is kept in this browser.')}
        </p>
      )}
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
      {password && <ByPassword first={providers.length === 0} onEnter={onEnter} onProven={setProven} />}
      {password && hasPasskeys() && <ByPasskey onEnter={onEnter} />}
    </Outside>
  )
}

async function readWays(): Promise<SignInWays> {
  const ways = await call('GET', '/console/api/sign-in')
  return ways.sentence === undefined ? ways : { ...ways, sentence: (await inWords())(ways.sentence) }
}
