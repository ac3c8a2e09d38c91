import { transaction } from '../db/transaction.ts'
import { recordAudit } from '../users/audit.ts'
import type { Client, Entry, UserDeps } from '../users/deps.ts'
import { admitReturn, isFirstUse } from '../users/login/limits.ts'
import { findUser } from '../users/store.ts'
import type { Log } from '../values/log.ts'
import { Refusal } from '../values/refusal.ts'
import { endedRecord } from './check.ts'
import { enterByProvider } from './enter.ts'
import { LOGOUT_ACCEPTED_S, UntrustedLogout } from './logout-token.ts'
import { actorOf } from './person.ts'
import { makeProvider, type Attempt, type Provider } from './provider.ts'
import { endSessionsOf } from './session-store.ts'
import type { SignInSettings } from './settings.ts'
import { userMessage, whyOf } from './trouble.ts'

/** The enabled sign-in methods. */
export type SignIn = {
  /** Whether users may log in with a password. */
  password: boolean
  providers: ReadonlyMap<string, Provider>
}

type Deps = Pick<UserDeps, 'db' | 'seal' | 'session_settings'> & { log: Log }

export function makeSignIn({ password, providers }: SignInSettings): SignIn {
  return { password, providers: new Map(providers.map((settings) => [settings.name, makeProvider(settings)])) }
}

/** Returns the URL to redirect the browser to. A refusal carries a message for the user. */
export async function beginSignIn(
  deps: Deps,
  provider: Provider,
  redirect_uri: string,
): Promise<{ url: string; attempt: Attempt }> {
  try {
    return await provider.begin(redirect_uri)
  } catch (fault) {
    throw signInRefusal(deps, provider, fault)
  }
}

/** Verifies the return from the provider and opens a session. Any mismatch is refused. */
export async function finishSignIn(
  deps: Deps,
  provider: Provider,
  { returned_to, attempt, client }: { returned_to: URL; attempt: Attempt | undefined; client: Client },
): Promise<{ entry: Entry; waits_for_code: boolean }> {
  const { name } = provider.settings
  if (attempt?.provider !== name || returned_to.searchParams.get('state') !== attempt.state) {
    throw new Refusal('forbidden', 'This login was started in another browser or has expired. Please try again.')
  }
  const reset = await admitReturn(deps, client.address)
  const signed = await provider.finish(returned_to, attempt).catch((fault: unknown) => {
    throw signInRefusal(deps, provider, fault)
  })
  const entered = await enterByProvider(deps, provider, signed, client)
  await reset()
  return entered
}

/**
 * The provider says that a session of its own has ended. Each token is accepted once, over all processes: a second
 * transaction with the same token waits for the first. If the first fails, the token remains unused.
 */
export async function endByProvider(deps: Deps, provider: Provider, logout_token: string): Promise<number> {
  const logout = await provider.readLogout(logout_token)
  return transaction(deps.db, async (tx) => {
    if (!(await isFirstUse(tx, 'logout token', [provider.settings.issuer, logout.jti], LOGOUT_ACCEPTED_S))) {
      throw new UntrustedLogout('it was used before')
    }
    const user_ids = await endSessionsOf(tx, provider.settings.issuer, logout)
    for (const id of user_ids) {
      const user = await findUser(tx, id)
      if (user) await recordAudit(tx, actorOf(provider), endedRecord(user, 'logged out at the provider'))
    }
    return user_ids.length
  })
}

function signInRefusal({ log }: Deps, { settings }: Provider, fault: unknown): Refusal {
  log.warn({ provider: settings.name, why: whyOf(fault) }, 'a single sign-on failed')
  return new Refusal('forbidden', userMessage(settings.label, fault))
}
