import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit } from '../users/audit.ts'
import { deleteSession, deleteSessions } from '../users/login/session-store.ts'
import { findUser } from '../users/store.ts'
import type { Log } from '../values/log.ts'
import type { Seal } from '../values/secrets/seal.ts'
import { actorOf, applyPlace, claimsOf, judge } from './person.ts'
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
  /** Sessions have ended: open pages are to look whether they are meant. */
  onEnded: () => void
}

const LOOK_EVERY_MS = 1_000
/** A provider is asked about so many at once; and about one again after this if nobody said how it went. */
const AT_ONCE = 8
const LEASE_S = 30

/**
 * Asks providers again and again whether they still know the people they have signed in. Each has a turn of its own, so
 * that one that is slow delays no other. What it says about roles counts at once.
 */
export function startChecks(deps: CheckDeps, providers: readonly Provider[]): { stop(): Promise<void> } {
  let stopped = false
  const known = providers.map(({ settings }) => settings.issuer)
  const first = endSessionsBeside(deps.db, known).catch((err: unknown) => {
    deps.log.warn({ err }, 'sessions of providers that are gone could not be ended')
  })
  const turns = providers.map((provider) => {
    let doing: Promise<unknown> = Promise.resolve()
    let busy = false
    const timer = setInterval(() => {
      if (busy) return
      busy = true
      doing = checkAll(deps, provider, () => stopped)
        .catch((err: unknown) => deps.log.warn({ err, provider: provider.settings.name }, 'sessions were not checked'))
        .finally(() => {
          busy = false
        })
    }, LOOK_EVERY_MS)
    return { timer, done: () => doing }
  })
  return {
    async stop() {
      stopped = true
      for (const { timer } of turns) clearInterval(timer)
      await Promise.all([first, ...turns.map(({ done }) => done())])
    },
  }
}

async function checkAll(deps: CheckDeps, provider: Provider, isStopped: () => boolean): Promise<void> {
  let claimed: Due[]
  do {
    claimed = await claimDue(deps.db, provider.settings.issuer, AT_ONCE, LEASE_S)
    const checked = await Promise.allSettled(claimed.map((due) => checkOne(deps, provider, due)))
    for (const one of checked) if (one.status === 'rejected') throw one.reason
  } while (claimed.length === AT_ONCE && !isStopped())
}

async function checkOne(deps: CheckDeps, provider: Provider, due: Due): Promise<void> {
  const { name } = provider.settings
  const tokens = openTokens(deps, due.session_id, due.tokens)
  if (!tokens) return endOne(deps, provider, due, 'its tokens cannot be read any more')
  let said: Said
  try {
    said = await askAgain(deps, provider, due, tokens)
  } catch (fault) {
    if (isRefusal(fault)) return endOne(deps, provider, due, whyOf(fault))
    // Asked again when the lease is over; the session stands until then, and for unreachable_s at most.
    deps.log.warn({ provider: name, why: whyOf(fault) }, 'a provider did not say whether it still knows somebody')
    return
  }
  await believe(deps, provider, due, said)
}

async function askAgain(deps: CheckDeps, provider: Provider, due: Due, tokens: Tokens): Promise<Said> {
  const { session_id, subject } = due
  if (tokens.refresh_token === undefined) {
    const userinfo = await provider.readUser(tokens, subject)
    if (!userinfo) throw new Error('there is neither a refresh token nor an address to ask at')
    return { subject, id_token: undefined, userinfo }
  }
  const fresh = await provider.refresh(tokens.refresh_token)
  await keepTokens(deps.db, session_id, sealTokens(deps, session_id, fresh.tokens))
  if (fresh.id_token && fresh.id_token.sub !== subject) throw new Error('the answer is about somebody else')
  return { subject, id_token: fresh.id_token, userinfo: await provider.readUser(fresh.tokens, subject) }
}

async function believe(deps: CheckDeps, provider: Provider, due: Due, said: Said): Promise<void> {
  const { settings } = provider
  const claims = claimsOf(said)
  const { place } = await judge(deps, settings, claims)
  // Without a new ID token, claims that are nowhere have not changed: they were never in the other answer.
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
      await recordAudit(tx, actorOf(provider), endedRecord(user, 'no rule gives a role any more'))
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
