import { forgetIdempotencyKeys } from './billing/store.ts'
import { forgetCallbacks } from './callbacks/store.ts'
import { forgetHandsetMessages } from './carriers/simulator/store.ts'
import { forgetImports } from './contacts/import/import-store.ts'
import { forgetQueries } from './contacts/query/scroll-store.ts'
import type { Db } from './db/connect.ts'
import { forgetSubmissions } from './messaging/overdue.ts'
import type { Log } from './values/log.ts'

export type Retention = { callbacks_days: number; sandbox_days: number; imports_days: number }

const EVERY_MS = 60_000
const IDEMPOTENCY_H = 24
const CONTACT_QUERIES_H = 24

/** Forgets what has outlived its use, once a minute. Several processes doing so is harmless. */
export function startHousekeeping(deps: { db: Db; log: Log; retention: Retention }): { stop(): Promise<void> } {
  let tidying = Promise.resolve()
  const timer = setInterval(() => {
    tidying = tidying.then(() =>
      tidy(deps).catch((fault: unknown) => deps.log.warn({ err: fault }, 'tidying up failed')),
    )
  }, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await tidying
    },
  }
}

export async function tidy({ db, retention }: { db: Db; retention: Retention }): Promise<void> {
  await forgetIdempotencyKeys(db, IDEMPOTENCY_H)
  await forgetSubmissions({ db })
  await forgetCallbacks(db, retention.callbacks_days)
  await forgetHandsetMessages(db, retention.sandbox_days)
  await forgetQueries(db, CONTACT_QUERIES_H)
  await forgetImports(db, retention.imports_days)
}
