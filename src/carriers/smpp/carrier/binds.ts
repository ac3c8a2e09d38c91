import type { Db } from '../../../db/connect.ts'
import { newId } from '../../../values/id.ts'
import type { Log } from '../../../values/log.ts'
import { ensureBinds, leaseBind, readDownFor, releaseBinds, renewBinds } from './binds-store.ts'
import type { BindWatch } from './figures.ts'
import type { SmppSession } from '../session/session.ts'

export type HeldBind = { bind: number; session: SmppSession; watch: BindWatch }

export type Binds = {
  /** The binds this process holds, bound or not. */
  held(): readonly HeldBind[]
  /** Milliseconds since any bind of the carrier was up, in any process. */
  downFor(): number
  stop(): Promise<void>
}

type Deps = { db: Db; log: Log }

/** The binds of a crashed process are free after this time. */
const LEASE_S = 5
const BEAT_EVERY_MS = 1_000
/** A pause between binds, so that processes that start together share them evenly. */
const LEASE_NEXT_AFTER_MS = 150
/** A process that cannot renew its leases disconnects before another may take over. */
const DISCONNECT_AFTER_MS = (LEASE_S - 1) * 1_000
const PDUS_EVERY_BEATS = 3

/**
 * Holds binds of a carrier. Each bind belongs to one process by a lease in the database, which its holder renews together
 * with the figures shown to the operator.
 */
export function startBinds(
  deps: Deps,
  carrier: string,
  count: number,
  open: (bind: number) => { session: SmppSession; watch: BindWatch },
): Binds {
  const holder = newId()
  const held = new Map<number, HeldBind>()
  let running = true
  let renewed_at = performance.now()
  let beats = 0
  let down = { ms: 0, read_at: performance.now() }
  let ever_up = false
  let timer: NodeJS.Timeout | undefined
  let beating = run()

  async function run(): Promise<void> {
    let leased = false
    try {
      if (beats === 0) await ensureBinds(deps.db, carrier, count)
      await renew()
      leased = held.size < count && (await leaseNext())
      await noteHealth()
      beats += 1
    } catch (fault) {
      deps.log.warn({ carrier, err: fault }, 'the leases of binds could not be renewed')
      if (held.size > 0 && performance.now() - renewed_at > DISCONNECT_AFTER_MS) await disconnect([...held.keys()])
    }
    if (!running) return
    timer = setTimeout(
      () => {
        beating = run()
      },
      leased ? LEASE_NEXT_AFTER_MS : BEAT_EVERY_MS,
    )
  }

  async function renew(): Promise<void> {
    const with_pdus = beats % PDUS_EVERY_BEATS === 0
    const mine = await renewBinds(
      deps.db,
      carrier,
      holder,
      LEASE_S,
      [...held.values()].map(({ bind, session, watch }) => {
        const figures = watch.figures(session)
        return { bind, state: figures.state, figures, pdus: with_pdus ? watch.pdus() : undefined }
      }),
    )
    renewed_at = performance.now()
    const lost = [...held.keys()].filter((bind) => !mine.includes(bind))
    if (lost.length > 0) await disconnect(lost)
  }

  async function leaseNext(): Promise<boolean> {
    const bind = await leaseBind(deps.db, carrier, count, holder, LEASE_S)
    if (bind === undefined || !running) return false
    held.set(bind, { bind, ...open(bind) })
    return true
  }

  async function disconnect(binds: readonly number[]): Promise<void> {
    deps.log.warn({ carrier, binds }, 'binds are no longer held by this process')
    const gone = binds.flatMap((bind) => held.get(bind) ?? [])
    for (const bind of binds) held.delete(bind)
    await Promise.all(gone.map(end))
  }

  async function noteHealth(): Promise<void> {
    const ms = await readDownFor(deps.db, carrier)
    // A carrier that never was up counts from our start.
    if (ms !== null) ever_up = true
    if (ever_up) down = { ms: ms ?? 0, read_at: performance.now() }
  }

  return {
    held: () => [...held.values()],
    downFor() {
      if ([...held.values()].some(({ session }) => session.state().name === 'bound')) return 0
      if (ever_up && down.ms === 0) return 0
      return down.ms + performance.now() - down.read_at
    },
    async stop() {
      running = false
      clearTimeout(timer)
      await beating
      await Promise.all([...held.values()].map(end))
      held.clear()
      await releaseBinds(deps.db, carrier, holder).catch(() => {}) // otherwise the leases expire
    },
  }
}

async function end({ session, watch }: HeldBind): Promise<void> {
  await session.stop()
  watch.end()
}
