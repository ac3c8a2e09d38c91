import type { Db } from '../db/connect.ts'
import type { Sql } from '../db/sql.ts'
import { transaction } from '../db/transaction.ts'
import { keptOf, openKept, sealKept, type InstallationKeys, type PepperKeys } from '../otp/pepper.ts'
import { findSecret, keepMark, KEPT_KEYS, lockMark, readMark, storeMark, storeSecret } from '../otp/pepper-store.ts'
import { makeSeal } from '../values/secrets/seal.ts'
import { makeSecretSeal } from '../values/secrets/secret-seal.ts'
import { SEALED_COLUMNS, type SealedColumn } from './columns.ts'
import { listSealed, replaceSealed } from './store.ts'

type Deps = { db: Db; keys: InstallationKeys }
type SealingKeys = Pick<PepperKeys, 'seal_key' | 'secret_key'>
/** The keys that seal, and those that are replaced by them. */
type Turnover = SealingKeys & { former: SealingKeys | undefined }

/** How many values of a column are sealed under which pepper. */
export type SealedCount = { says: string; present: number; former: number; unreadable: number }

const SLICE = 200
/**
 * One-time passwords that were requested under the former pepper are verified, and their texts and fallbacks sent, within
 * an hour; their callbacks need no pepper.
 */
export const OTP_HOURS = 2

/**
 * Makes the present pepper the one that seals, if the former one was until now: then the keys that outlive a pepper are
 * sealed under it. False if the database was sealed under another.
 */
export async function settlePepper({ db, keys }: Deps): Promise<boolean> {
  const { former, pepper_mark } = keys
  await keepMark(db, (former ?? keys).pepper_mark)
  if ((await readMark(db))?.mark === pepper_mark) return true
  if (former === undefined) return false
  return transaction(db, async (tx) => {
    const mark = await lockMark(tx)
    if (mark === pepper_mark) return true
    const sealed = await findSecret(tx, KEPT_KEYS)
    const kept = sealed === undefined ? keptOf(former) : openKept(makeSecretSeal(former.secret_key), sealed)
    if (!kept) return false
    await storeSecret(tx, KEPT_KEYS, sealKept(keys, kept))
    await storeMark(tx, pepper_mark)
    return true
  })
}

/** Seals everything under the present pepper that the former one sealed. A value that changes meanwhile is left alone. */
export async function resealAll(
  { db, keys }: { db: Sql; keys: Turnover },
  signal?: AbortSignal,
  columns: readonly SealedColumn[] = SEALED_COLUMNS,
): Promise<number> {
  let resealed = 0
  for (const column of columns) {
    const seals = sealsOf(keys, column)
    for await (const row of rowsOf(db, column)) {
      if (signal?.aborted) return resealed
      const bound_to = column.boundTo(...row.key)
      const opened = row.values.map((value) => seals.under(value, bound_to))
      if (!opened.some(({ pepper }) => pepper === 'former')) continue
      const fresh = opened.map(({ pepper, text }, n) =>
        pepper === 'former' ? seals.close(text, bound_to) : row.values[n]!,
      )
      if (await replaceSealed(db, column, row, fresh)) resealed += 1
    }
  }
  return resealed
}

export async function countSealed({ db, keys }: Deps): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const column of SEALED_COLUMNS) {
    const count = { says: column.says, present: 0, former: 0, unreadable: 0 }
    const seals = sealsOf(keys, column)
    for await (const row of rowsOf(db, column)) {
      for (const value of row.values) count[seals.under(value, column.boundTo(...row.key)).pepper] += 1
    }
    counts.push(count)
  }
  return counts
}

type Opened = { pepper: 'present' | 'former'; text: string } | { pepper: 'unreadable'; text: '' }

function sealsOf({ former, ...own }: Turnover, { type }: SealedColumn) {
  const is_bytes = type === 'bytea'
  const bytes = { present: makeSeal(own.seal_key), former: former && makeSeal(former.seal_key) }
  const texts = { present: makeSecretSeal(own.secret_key), former: former && makeSecretSeal(former.secret_key) }

  function open(pepper: 'present' | 'former', value: string | Buffer, bound_to: string): string | undefined {
    return typeof value === 'string' ? texts[pepper]?.open(value, bound_to) : bytes[pepper]?.open(value, bound_to)
  }

  return {
    under(value: string | Buffer, bound_to: string): Opened {
      for (const pepper of ['present', 'former'] as const) {
        const text = open(pepper, value, bound_to)
        if (text !== undefined) return { pepper, text }
      }
      return { pepper: 'unreadable', text: '' }
    },
    close: (text: string, bound_to: string) =>
      is_bytes ? bytes.present.close(text, bound_to) : texts.present.close(text, bound_to),
  }
}

async function* rowsOf(db: Sql, column: SealedColumn) {
  let after: readonly string[] | undefined
  for (;;) {
    const rows = await listSealed(db, column, after, SLICE)
    yield* rows
    after = rows.at(-1)?.key
    if (rows.length < SLICE) return
  }
}
