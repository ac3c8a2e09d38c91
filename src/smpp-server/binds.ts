import { STATUS } from '../carriers/smpp/codec/status.ts'
import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { isPassword } from '../smpp-accounts/password.ts'
import { findAccount, type AccountRow } from '../smpp-accounts/store.ts'
import type { Log } from '../values/log.ts'
import { mayBindFrom, openAccount, type Account } from './account.ts'
import { dropBinds, insertBind, keepBinds } from './bind-store.ts'
import { startOutbox, type Outbox } from './outbox.ts'
import type { BindRequest, Session } from './session.ts'
import type { SmppServerSettings } from './settings.ts'

export type BindDeps = {
  db: Db
  log: Log
  meters: Pick<Meters, 'smpp_server_binds' | 'smpp_server_deliveries'>
  wakeups: Wakeups
  smpp_key: Buffer
  settings: SmppServerSettings
  onWrongPassword(address: string): void
}

/** The binds of this process, by account. */
export type Binds = {
  admit(session: Session, bind: BindRequest): Promise<Account | { command_status: number }>
  onBound(session: Session): void
  onRoom(session: Session): void
  release(session: Session): void
  stop(): Promise<void>
}

/** An account with binds here. */
type Group = { account: Account; sessions: Set<Session>; outbox: Outbox }

/** A process that dies gives its binds free after so long. */
const LEASE_S = 6
const KEEP_EVERY_MS = 1_000
/** What was handed to a receiver is another's after the time it has for its answer, and some. */
const BEYOND_ANSWER_S = 5

export function keepBindsOf(deps: BindDeps): Binds {
  const { limits, response_timeout_ms } = deps.settings
  const groups = new Map<string, Group>()
  const opening = new Map<string, Promise<Group | undefined>>()
  let count = 0
  let keeping: Promise<void> = Promise.resolve()
  const keeper = setInterval(() => {
    keeping = keep().catch((fault: unknown) => deps.log.warn({ err: fault }, 'keeping binds failed'))
  }, KEEP_EVERY_MS)

  async function admit(session: Session, bind: BindRequest): Promise<Account | { command_status: number }> {
    const row = await findAccount(deps.db, bind.system_id)
    if (!isPassword(deps.smpp_key, bind, row?.password_hash) || !row) {
      deps.onWrongPassword(bind.address)
      return { command_status: STATUS.RINVPASWD }
    }
    if (!mayBindFrom(row, bind.address))
      return refuse(row, bind, STATUS.RBINDFAIL, 'from an address it may not bind from')
    if (count >= limits.binds) return refuse(row, bind, STATUS.RBINDFAIL, 'while this process has as many as it may')
    const { id } = session
    const { mode, address } = bind
    const most = Math.min(row.max_binds, limits.binds_per_account)
    if (
      !(await insertBind(
        deps.db,
        { id, organisation_id: row.organisation_id, account_id: row.id, mode, address },
        most,
        LEASE_S,
      ))
    ) {
      return refuse(row, bind, STATUS.RALYBND, 'while it has as many binds as it may')
    }
    const group = await join(session, row)
    if (!group) return { command_status: STATUS.RBINDFAIL }
    count += 1
    deps.meters.smpp_server_binds.set(count)
    return group.account
  }

  function refuse({ system_id }: AccountRow, { address }: BindRequest, command_status: number, why: string) {
    deps.log.warn({ system_id, address }, `a bind was refused: it came ${why}`)
    return { command_status }
  }

  /** One group for an account, however many bind at once; one that is closed meanwhile is opened again. */
  async function join(session: Session, row: AccountRow): Promise<Group | undefined> {
    for (;;) {
      const known = groups.get(row.id)
      if (known) {
        known.sessions.add(session)
        return known
      }
      let work = opening.get(row.id)
      if (!work) {
        work = openGroup(row).finally(() => opening.delete(row.id))
        opening.set(row.id, work)
      }
      if (!(await work)) return undefined
    }
  }

  async function openGroup(row: AccountRow): Promise<Group | undefined> {
    const onGone = (): void => endAll(row.id, 'the account has ended')
    const account = await openAccount(deps, row, deps.settings, onGone)
    if (!account) return undefined
    const outbox = startOutbox(deps, account, Math.ceil(response_timeout_ms / 1_000) + BEYOND_ANSWER_S)
    const group = { account, sessions: new Set<Session>(), outbox }
    groups.set(row.id, group)
    return group
  }

  function endAll(account_id: string, reason: string): void {
    for (const session of groups.get(account_id)?.sessions ?? []) void session.finish(reason)
  }

  function release(session: Session): void {
    const found = [...groups].find(([, { sessions }]) => sessions.has(session))
    if (!found) return
    const [account_id, group] = found
    group.sessions.delete(session)
    group.outbox.remove(session)
    count -= 1
    deps.meters.smpp_server_binds.set(count)
    // Should this fail, its lease ends.
    dropBinds(deps.db, [session.id]).catch(() => {})
    if (group.sessions.size > 0) return
    groups.delete(account_id)
    close(group).catch((fault: unknown) => deps.log.warn({ err: fault }, 'an account could not be closed'))
  }

  async function close({ account, outbox }: Group): Promise<void> {
    account.close()
    await outbox.stop()
  }

  /** Keeps what is bound, divides each rate among the processes, and finds out whose account is gone. */
  async function keep(): Promise<void> {
    if (groups.size === 0) return
    const ids = [...groups.values()].flatMap(({ sessions }) => [...sessions].map(({ id }) => id))
    const binds = await keepBinds(deps.db, ids, LEASE_S)
    for (const [account_id, { account, sessions }] of groups) {
      const total = binds.get(account_id)
      if (total === undefined) await account.refresh()
      else account.bucket.share(Math.min(1, sessions.size / total))
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
      clearInterval(keeper)
      await keeping
      await Promise.all([...groups.values()].map(close))
    },
  }
}
