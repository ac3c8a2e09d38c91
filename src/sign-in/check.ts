import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit } from '../users/audit.ts'
import { deleteSession, deleteSessions } from '../users/login/session-store.ts'
import { findUser } from '../users/store.ts'
import { startPeriodicJob, type PeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import type { Seal } from '../values/secrets/seal.ts'
import { actorOf, applyPlace, claimsOf, evaluateRules } from './person.ts'
import type { Provider, Said, Tokens } from './provider.ts'
import { speaksOfRules } from './rules.ts'
import { openTokens, sealTokens } from './sealed.ts'
import { claimDue, confirmSession, endSessionsBeside, hastenChecks, keepTokens, type Due } from './session-store.ts'
import { lockPerson } from './store.ts'
import { isRefusal, whyOf } from './trouble.ts'

export type CheckDeps = {
  db: Db
  seal: Seal
  log: Log
  /** Called when sessions have ended, so that open pages check theirs. */
  onEnded: () => void
}

const CHECK_INTERVAL_MS = 1_000
/** Sessions checked concurrently per provider. */
const BATCH_SIZE = 8
/** A session is checked again after this time if the process that claimed it crashed. */
const LEASE_S = 30

/**
 * Checks periodically with each provider that the users it signed in are still valid, and applies changed roles
 * immediately. Each provider has its own job, so that a slow one does not delay the others.
 */
export function startChecks(deps: CheckDeps, providers: readonly Provider[]): Pick<PeriodicJob, 'stop'> {
  let stopped = false
  const configured = providers.map(({ settings }) => settings.issuer)
  const removed = endSessionsBeside(deps.db, configured).catch((err: unknown) => {
    deps.log.warn({ err }, 'sessions of removed providers could not be ended')
  })
  const jobs = providers.map((provider) =>
    startPeriodicJob(
      CHECK_INTERVAL_MS,
      () => checkAll(deps, provider, () => stopped),
      (err) => deps.log.warn({ err, provider: provider.settings.name }, 'sessions were not checked'),
    ),
  )
  return {
    async stop() {
      stopped = true
      await Promise.all([removed, ...jobs.map((job) => job.stop())])
    },
  }
}

async function checkAll(deps: CheckDeps, provider: Provider, isStopped: () => boolean): Promise<void> {
  let claimed: Due[]
  do {
    claimed = await claimDue(deps.db, provider.settings.issuer, BATCH_SIZE, LEASE_S)
    const checked = await Promise.allSettled(claimed.map((due) => checkOne(deps, provider, due)))
    for (const one of checked) if (one.status === 'rejected') throw one.reason
  } while (claimed.length === BATCH_SIZE && !isStopped())
}

async function checkOne(deps: CheckDeps, provider: Provider, due: Due): Promise<void> {
  const { name } = provider.settings
  const tokens = openTokens(deps, due.session_id, due.tokens)
  if (!tokens) return endOne(deps, provider, due, 'its tokens can no longer be decrypted')
  let said: Said
  try {
    said = await recheck(deps, provider, due, tokens)
  } catch (fault) {
    if (isRefusal(fault)) return endOne(deps, provider, due, whyOf(fault))
    // Retried when the lease expires; meanwhile the session remains open, for at most unreachable_s.
    deps.log.warn({ provider: name, why: whyOf(fault) }, 'a provider could not be asked about a session')
    return
  }
  await applyAnswer(deps, provider, due, said)
}

async function recheck(deps: CheckDeps, provider: Provider, due: Due, tokens: Tokens): Promise<Said> {
  const { session_id, subject } = due
  if (tokens.refresh_token === undefined) {
    const userinfo = await provider.readUser(tokens, subject)
    if (!userinfo) throw new Error('there is neither a refresh token nor a userinfo endpoint')
    return { subject, id_token: undefined, userinfo }
  }
  const fresh = await provider.refresh(tokens.refresh_token)
  await keepTokens(deps.db, session_id, sealTokens(deps, session_id, fresh.tokens))
  if (fresh.id_token && fresh.id_token.sub !== subject) throw new Error('the response is about a different subject')
  return { subject, id_token: fresh.id_token, userinfo: await provider.readUser(fresh.tokens, subject) }
}

async function applyAnswer(deps: CheckDeps, provider: Provider, due: Due, said: Said): Promise<void> {
  const { settings } = provider
  const claims = claimsOf(said)
  const { place } = await evaluateRules(deps, settings, claims)
  // Without a new ID token, missing claims are unchanged: userinfo never contained them.
  const speaks = said.id_token !== undefined || speaksOfRules(settings, claims)
  const ended = await transaction(deps.db, async (tx) => {
    await lockPerson(tx, due.user_id)
    const user = await findUser(tx, due.user_id)
    if (!user || user.issuer !== settings.issuer || user.subject !== due.subject) {
      return deleteSession(tx, due.user_id, due.session_id)
    }
    if (place) await applyPlace(tx, actorOf(provider), user, place)
    else if (user.role_by_provider && speaks) {
      await deleteSessions(tx, user.id)
      await recordAudit(tx, actorOf(provider), endedRecord(user, 'no rule assigns a role any more'))
      return true
    }
    await confirmSession(tx, due.session_id, settings)
    return false
  })
  if (ended) deps.onEnded()
}

async function endOne(deps: CheckDeps, provider: Provider, due: Due, why: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const user = await findUser(tx, due.user_id)
    if (!(await deleteSession(tx, due.user_id, due.session_id)) || !user) return
    await hastenChecks(tx, { issuer: provider.settings.issuer, subject: due.subject })
    await recordAudit(tx, actorOf(provider), endedRecord(user, why))
  })
  deps.onEnded()
}

export function endedRecord({ id, organisation_id }: { id: string; organisation_id: string | null }, why: string) {
  return { organisation_id, action: 'user.sessions_end', subject: id, after: { why } }
}
