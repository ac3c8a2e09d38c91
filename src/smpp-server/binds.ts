import { STATUS } from '../carriers/codec/status.ts'
import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { isPassword } from '../smpp-accounts/password.ts'
import { findAccount, type AccountRow } from '../smpp-accounts/store.ts'
import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { mayBindFrom, openAccount, type Account } from './account.ts'
import type { BindAttempts } from './bind-attempts.ts'
import { deleteBinds, insertBind, renewBinds } from './bind-store.ts'
import { makeOrganisations, type Organisation } from './organisations.ts'
import { startOutbox, type Outbox } from './outbox.ts'
import type { BindRequest, Session } from './session.ts'
import type { SmppServerSettings } from './settings.ts'

export type BindDeps = {
  db: Db
  /** A pool for binds alone, so that leases are renewed under any load. */
  bind_db: Db
  log: Log
  meters: Pick<Meters, 'smpp_server_binds' | 'smpp_server_deliveries'>
  wakeups: Wakeups
  smpp_key: Buffer
  settings: SmppServerSettings
  attempts: BindAttempts
}

/** The binds of this process. */
export type Binds = {
  admit(session: Session, bind: BindRequest): Promise<Account | { command_status: number }>
  onBound(session: Session): void
  onRoom(session: Session): void
  release(session: Session): void
  stop(): Promise<void>
}

/** An account with binds here. */
type Group = { account: Account; sessions: Set<Session>; outbox: Outbox }

/** The binds of a crashed process are free after this time. */
const LEASE_S = 6
const RENEW_EVERY_MS = 1_000
/** Added to the response timeout for the lease of a delivery, after which another process may deliver it. */
const LEASE_MARGIN_S = 5

export function startBinds(deps: BindDeps): Binds {
  const { bind_db } = deps
  const { limits, response_timeout_ms } = deps.settings
  const groups = new Map<string, Group>()
  const opening = new Map<string, Promise<Group | undefined>>()
  const bound = new Map<Session, Group>()
  const organisations = makeOrganisations(deps.settings)
  const renewal = startPeriodicJob(RENEW_EVERY_MS, renew, (fault) =>
    deps.log.warn({ err: fault }, 'renewing the leases of binds failed'),
  )

  async function admit(session: Session, bind: BindRequest): Promise<Account | { command_status: number }> {
    const attempt = deps.attempts.reserve(bind.address, bind.system_id)
    if (!attempt) return refuse(bind, STATUS.RBINDFAIL, 'too many wrong passwords')
    const row = await findAccount(bind_db, bind.system_id).catch((fault: unknown) => {
      attempt.release()
      throw fault
    })
    if (!isPassword(deps.smpp_key, bind, row?.password_hash) || !row) return { command_status: STATUS.RINVPASWD }
    attempt.release()
    if (!mayBindFrom(row, bind.address)) return refuse(bind, STATUS.RBINDFAIL, 'its address is not in the allow list')
    const organisation = organisations.reserveBind(row.organisation_id)
    if (!organisation) return refuse(bind, STATUS.RBINDFAIL, 'no bind slot is free in this process')
    const admitted = await register(session, bind, row, organisation).catch((fault: unknown) => {
      organisations.releaseBind(row.organisation_id)
      throw fault
    })
    if ('command_status' in admitted) organisations.releaseBind(row.organisation_id)
    else attempt.succeed()
    deps.meters.smpp_server_binds.set(organisations.binds)
    return admitted
  }

  async function register(
    session: Session,
    bind: BindRequest,
    row: AccountRow,
    organisation: Organisation,
  ): Promise<Account | { command_status: number }> {
    const { id: account_id, organisation_id } = row
    const max = {
      of_account: Math.min(row.max_binds, limits.binds_per_account),
      of_organisation: limits.binds_per_organisation,
    }
    const { mode, address } = bind
    if (!(await insertBind(bind_db, { id: session.id, organisation_id, account_id, mode, address }, max, LEASE_S))) {
      return refuse(bind, STATUS.RALYBND, 'its account or organisation has reached its limit of binds')
    }
    const group = await join(session, row, organisation)
    return group?.account ?? { command_status: STATUS.RBINDFAIL }
  }

  function refuse({ system_id, address }: BindRequest, command_status: number, why: string) {
    deps.log.warn({ system_id, address }, `a bind was refused: ${why}`)
    return { command_status }
  }

  /** Concurrent binds of an account share one group; one that was closed meanwhile is reopened. */
  async function join(session: Session, row: AccountRow, organisation: Organisation): Promise<Group | undefined> {
    for (;;) {
      const known = groups.get(row.id)
      if (known) {
        known.sessions.add(session)
        bound.set(session, known)
        return known
      }
      let work = opening.get(row.id)
      if (!work) {
        work = openGroup(row, organisation).finally(() => opening.delete(row.id))
        opening.set(row.id, work)
      }
      if (!(await work)) return undefined
    }
  }

  async function openGroup(row: AccountRow, organisation: Organisation): Promise<Group | undefined> {
    const onGone = (): void => endAll(row.id, 'the account was removed')
    const account = await openAccount({ ...deps, db: bind_db }, row, deps.settings, organisation, onGone)
    if (!account) return undefined
    const outbox = startOutbox(deps, account, Math.ceil(response_timeout_ms / 1_000) + LEASE_MARGIN_S)
    const group = { account, sessions: new Set<Session>(), outbox }
    groups.set(row.id, group)
    return group
  }

  function endAll(account_id: string, reason: string): void {
    for (const session of groups.get(account_id)?.sessions ?? []) void session.finish(reason)
  }

  function release(session: Session): void {
    const group = bound.get(session)
    if (!group) return
    const { id, organisation_id } = group.account.row
    bound.delete(session)
    group.sessions.delete(session)
    group.outbox.remove(session)
    organisations.releaseBind(organisation_id)
    deps.meters.smpp_server_binds.set(organisations.binds)
    // If this fails, the lease expires.
    deleteBinds(bind_db, [session.id]).catch(() => {})
    if (group.sessions.size > 0) return
    groups.delete(id)
    close(group).catch((fault: unknown) => deps.log.warn({ err: fault }, 'an account could not be closed'))
  }

  async function close({ account, outbox }: Group): Promise<void> {
    account.close()
    await outbox.stop()
  }

  /** Renews the leases, sets this process's share of each rate, and detects removed accounts. */
  async function renew(): Promise<void> {
    if (groups.size === 0) return
    const ids = [...groups.values()].flatMap(({ sessions }) => [...sessions].map(({ id }) => id))
    const counts = await renewBinds(bind_db, ids, LEASE_S)
    for (const [account_id, { account, sessions }] of groups) {
      const count = counts.get(account_id)
      if (count === undefined) {
        await account.refresh()
        continue
      }
      const { organisation } = account
      account.bucket.setRate(account.rate_per_s * Math.min(1, sessions.size / count.of_account))
      organisation.bucket.setRate(organisation.rate_per_s * Math.min(1, organisation.binds / count.of_organisation))
    }
  }

  return {
    admit,
    onBound(session) {
      const group = groups.get(session.account?.row.id ?? '')
      if (session.mode !== 'transmitter') group?.outbox.add(session)
    },
    onRoom: (session) => groups.get(session.account?.row.id ?? '')?.outbox.wake(),
    release,
    async stop() {
      await renewal.stop()
      await Promise.all([...groups.values()].map(close))
    },
  }
}
