import {
  chargedAt,
  manySaleArguments,
  saleArguments,
  theOne,
  type Charged,
  type ChargedMany,
  type SaleRow,
} from '../billing/store.ts'
import type { Network } from '../carriers/topup-carrier.ts'
import { idArray } from '../db/array.ts'
import { connectionsOf } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { prepare } from '../db/sql.ts'
import { LEASE_S } from '../queue/leases.ts'
import type { Page } from '../values/page.ts'
import type { Draft } from './draft.ts'
import type { PurchaseStatus } from './schema.ts'

export const AIRTIME_QUEUE = 'airtime'

export type PurchaseRow = {
  id: string
  network: Network
  recipient: string
  amount: bigint
  commission: bigint | null
  external_ref: string | null
  callback: string | null
  warnings: string[]
  status: PurchaseStatus
  refunded: boolean
  description: string | null
  balance_after: bigint
  created_datetime: string
  updated_datetime: string | null
}

export type Accepted = Charged & {
  /** The reserved purchases of the whole batch, with the ids of their leased jobs. */
  reserved_ids: string[] | null
  job_ids: string[] | null
}

/** A purchase to store; `reserved`: with a job leased by the caller, and its first try if `reference` is given. */
export type NewPurchase = SaleRow & { item: Draft; reserved: boolean; reference: string | undefined }

/** Charges purchases, with one ledger line each, and stores those that were charged, with their jobs. */
export async function acceptPurchases(
  db: Db,
  organisation_id: string,
  sales: readonly NewPurchase[],
  twin_minutes: number,
): Promise<Accepted> {
  const there = connectionsOf(db, organisation_id)
  const [accepted] = await prepare(there<Accepted[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers, reserved_ids, job_ids
    from accept_purchases(
      ${organisation_id}, ${saleArguments(db, sales)}, ${JSON.stringify(sales.map(written))}::json,
      ${twin_minutes}::float8, ${LEASE_S}::float8
    )`)
  return theOne(accepted)
}

type AcceptedMany = ChargedMany & Pick<Accepted, 'reserved_ids' | 'job_ids'>

export type PurchaseGroup = { organisation_id: string; sales: readonly NewPurchase[] }

/**
 * The same for several organisations, sorted by id, in one statement; on a single server. Undefined for an organisation that has
 * to be charged alone.
 */
export async function acceptPurchasesOfMany(
  db: Db,
  groups: readonly PurchaseGroup[],
  twin_minutes: number,
): Promise<(Accepted | undefined)[]> {
  const all = groups.flatMap(({ sales }) => sales)
  const charges = manySaleArguments(
    db,
    groups.map(({ sales }) => sales),
    false,
  )
  const [row] = await prepare(db<AcceptedMany[]>`
    select balances_left::text[], lines::text[], moment, reserved_ids, job_ids
    from accept_purchases_of_many(
      ${idArray(groups.map(({ organisation_id }) => organisation_id))}::uuid[], ${charges},
      ${JSON.stringify(all.map(written))}::json, ${twin_minutes}::float8, ${LEASE_S}::float8
    )`)
  if (!row) throw new Error('a batch was neither charged nor refused')
  const { reserved_ids, job_ids } = row
  return groups.map((_, n) => {
    const charged = chargedAt(row, n)
    return charged && { ...charged, reserved_ids, job_ids }
  })
}

function written({ item, reserved, reference }: NewPurchase) {
  const { id, network, recipient, external_ref, callback, idempotency_key, warnings, vendors } = item
  const commission = item.commission && Number(item.commission)
  const wish = { id, network, recipient, commission, external_ref, callback, idempotency_key, warnings, vendors }
  return { ...wish, reserved, reference }
}

export async function findPurchase(db: Db, organisation_id: string, id: string): Promise<PurchaseRow | undefined> {
  const [row] = await db<PurchaseRow[]>`
    select ${columns(db)} from purchases ${withCharge(db)} where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listPurchases(
  db: Db,
  organisation_id: string,
  external_ref: string | undefined,
  page: Page,
): Promise<Listed<PurchaseRow>> {
  return listPage<PurchaseRow>(db, page, {
    select: columns(db),
    from: db`purchases`,
    join: withCharge(db),
    where: db`
      organisation_id = ${organisation_id}
      ${external_ref === undefined ? db`` : db`and external_ref = ${external_ref}`}`,
  })
}

/** The newest purchases with a reference. */
export async function findReferredPurchases(
  db: Db,
  organisation_id: string,
  external_ref: string,
  limit: number,
): Promise<string[]> {
  const found = await db<{ id: string }[]>`
    select id from purchases where organisation_id = ${organisation_id} and external_ref = ${external_ref}
    order by id desc limit ${limit}`
  return found.map(({ id }) => id)
}

function columns(db: Db) {
  return prepare(db`id, network, recipient, purchases.amount, commission, external_ref, callback, warnings, status, refunded,
    description, balance_after, purchases.created_datetime, updated_datetime`)
}

function withCharge(db: Db) {
  return prepare(db`join ledger_lines using (organisation_id, sequence)`)
}
