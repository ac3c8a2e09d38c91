import { STATUS } from '../carriers/smpp/codec/status.ts'
import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { isPassword } from '../smpp-accounts/password.ts'
import { findAccount, type AccountRow } from '../smpp-accounts/store.ts'
import type { Log } from '../values/log.ts'
import { mayBindFrom, openAccount, type Account } from './account.ts'
import { dropBinds, insertBind, keepBinds } from './bind-store.ts'
import type { Guesses } from './guesses.ts'
import type { Organisation } from './organisation.ts'
import { startOutbox, type Outbox } from './outbox.ts'
import { makePlaces } from './places.ts'
import type { BindRequest, Session } from './session.ts'
import type { SmppServerSettings } from './settings.ts'

export type BindDeps = {
  db: Db
  /** For binds alone: they are kept, and made, however much else there is to do. */
  bind_db: Db
  log: Log
  meters: Pick<Meters, 'smpp_server_binds' | 'smpp_server_deliveries'>
  wakeups: Wakeups
  smpp_key: Buffer
  settings: SmppServerSettings
  guesses: Guesses
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
  const { bind_db } = deps
  const { limits, response_timeout_ms } = deps.settings
  const groups = new Map<string, Group>()
  const opening = new Map<string, Promise<Group | undefined>>()
  const bound = new Map<Session, Group>()
  const places = makePlaces(deps.settings)
  let keeping: Promise<void> = Promise.resolve()
  const keeper = setInterval(() => {
    keeping = keep().catch((fault: unknown) => deps.log.warn({ err: fault }, 'keeping binds failed'))
  }, KEEP_EVERY_MS)

  async function admit(session: Session, bind: BindRequest): Promise<Account | { command_status: number }> {
    const attempt = deps.guesses.reserve(bind.address, bind.system_id)
    if (!attempt) return refuse(bind, STATUS.RBINDFAIL, 'after too many wrong passwords')
    const row = await findAccount(bind_db, bind.system_id).catch((fault: unknown) => {
      attempt.release()
      throw fault
    })
    if (!isPassword(deps.smpp_key, bind, row?.password_hash) || !row) return { command_status: STATUS.RINVPASWD }
    attempt.release()
    if (!mayBindFrom(row, bind.address)) return refuse(bind, STATUS.RBINDFAIL, 'from an address it may not bind from')
    const organisation = places.take(row.organisation_id)
    if (!organisation) return refuse(bind, STATUS.RBINDFAIL, 'while there is no place for it in this process')
    const admitted = await countIn(session, bind, row, organisation).catch((fault: unknown) => {
      places.free(row.organisation_id)
      throw fault
    })
    if ('command_status' in admitted) places.free(row.organisation_id)
    else attempt.succeed()
    deps.meters.smpp_server_binds.set(places.taken)
    return admitted
  }

  async function countIn(
    session: Session,
    bind: BindRequest,
    row: AccountRow,
    organisation: Organisation,
  ): Promise<Account | { command_status: number }> {
    const { id: account_id, organisation_id } = row
    const most = {
      of_account: Math.min(row.max_binds, limits.binds_per_account),
      of_organisation: limits.binds_per_organisation,
    }
    const { mode, address } = bind
    if (!(await insertBind(bind_db, { id: session.id, organisation_id, account_id, mode, address }, most, LEASE_S))) {
      return refuse(bind, STATUS.RALYBND, 'while its account or organisation has as many binds as it may')
    }
    const group = await join(session, row, organisation)
    return group?.account ?? { command_status: STATUS.RBINDFAIL }
  }

  function refuse({ system_id, address }: BindRequest, command_status: number, why: string) {
    deps.log.warn({ system_id, address }, `a bind was refused: it came ${why}`)
    return { command_status }
  }

  /** One group for an account, however many bind at once; one that is closed meanwhile is opened again. */
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
    const onGone = (): void => endAll(row.id, 'the account has ended')
    const account = await openAccount({ ...deps, db: bind_db }, row, deps.settings, organisation, onGone)
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
    const group = bound.get(session)
    if (!group) return
    const { id, organisation_id } = group.account.row
    bound.delete(session)
    group.sessions.delete(session)
    group.outbox.remove(session)
    places.free(organisation_id)
    deps.meters.smpp_server_binds.set(places.taken)
    // Should this fail, its lease ends.
    dropBinds(bind_db, [session.id]).catch(() => {})
    if (group.sessions.size > 0) return
    groups.delete(id)
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
    const counts = await keepBinds(bind_db, ids, LEASE_S)
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
      clearInterval(keeper)
      await keeping
      await Promise.all([...groups.values()].map(close))
    },
  }
}
