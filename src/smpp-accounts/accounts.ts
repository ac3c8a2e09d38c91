import { randomInt } from 'node:crypto'
import { readNetwork } from '../callbacks/post/networks.ts'
import { clearOutbox, countWaiting } from '../callbacks/outbox/store.ts'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { hashPassword, newPassword } from './password.ts'
import {
  MAX_ACCOUNTS,
  SYSTEM_ID,
  type SmppAccount,
  type SmppAccountBody,
  type SmppAccountWithPassword,
} from './schema.ts'
import { countAccounts, deleteAccount, insertAccount, listAccounts, lockAccounts, type ListedRow } from './store.ts'

/** Settings of a new account unless given. The configuration may set lower limits. */
const DEFAULTS = {
  allow_networks: [],
  max_binds: 4,
  rate_per_s: 500,
  window_size: 100,
  alphabet: 'gsm7',
  receives_texts: true,
} as const

/** Creates an account that may bind to the SMPP server. Its password is returned only here. */
export async function addAccount(
  { db, smpp_key }: { db: Db; smpp_key: Buffer },
  organisation_id: string,
  body: Partial<SmppAccountBody>,
  shape_faults: readonly Fault[],
): Promise<SmppAccountWithPassword> {
  const misshapen = shape_faults.some(({ field }) => field.startsWith('allow_networks'))
  refuseIfFaulty([...shape_faults, ...(misshapen ? [] : networkFaults(body.allow_networks ?? []))])
  const { system_id = newSystemId(), password = newPassword(), ...given } = body
  const allow_networks = [...(given.allow_networks ?? [])]
  const settings = { ...DEFAULTS, ...given, allow_networks }
  const password_hash = hashPassword(smpp_key, system_id, password)
  const stored = await transaction(db, async (tx) => {
    await lockAccounts(tx, organisation_id)
    if ((await countAccounts(tx, organisation_id)) >= MAX_ACCOUNTS) {
      const message = `An organisation has at most ${MAX_ACCOUNTS} accounts for SMPP.`
      refuseIfFaulty([{ field: 'accounts', message, type: 'less_than_equal' }])
    }
    return insertAccount(tx, { id: newId(), organisation_id, system_id, password_hash, ...settings })
  })
  if (!stored) refuseIfFaulty([{ field: 'system_id', message: 'This system_id is taken.', type: 'used' }])
  const created_datetime = stored?.created_datetime ?? ''
  return { system_id, ...settings, binds: 0, waiting: 0, created_datetime, password }
}

export async function findAccounts({ db }: { db: Db }, organisation_id: string): Promise<SmppAccount[]> {
  const [accounts, waiting] = await Promise.all([
    listAccounts(db, organisation_id),
    countWaiting(db, organisation_id, MAX_COUNTED),
  ])
  return accounts.map((row) => shownAccount(row, waiting.get(row.id) ?? 0))
}

const MAX_COUNTED = 1_000

/** Deletes an account and its outbox. `notifyChange` makes the processes with binds of it close them. */
export async function removeAccount(
  { db, notifyChange }: { db: Db; notifyChange: (organisation_id: string) => void },
  organisation_id: string,
  system_id: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const id = SYSTEM_ID.test(system_id) ? await deleteAccount(tx, organisation_id, system_id) : undefined
    if (id === undefined) throw new Refusal('not_found', 'There is no such account.')
    await clearOutbox(tx, organisation_id, id)
  })
  notifyChange(organisation_id)
}

function networkFaults(networks: readonly string[]): Fault[] {
  return networks.flatMap((text, n) => {
    const network = readNetwork(text)
    if (!('fault' in network)) return []
    return [{ field: `allow_networks[${n}]`, message: `${text} ${network.fault}.`, type: 'invalid' as const }]
  })
}

function shownAccount(row: ListedRow, waiting: number): SmppAccount {
  const { system_id, allow_networks, max_binds, rate_per_s, window_size, alphabet, receives_texts, binds } = row
  const settings = { allow_networks, max_binds, rate_per_s, window_size, alphabet, receives_texts }
  return { system_id, ...settings, binds, waiting, created_datetime: row.created_datetime }
}

function newSystemId(): string {
  return `gg${Array.from({ length: 10 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')}`
}

/** Without characters that are easily confused. */
const CHARACTERS = '23456789abcdefghjkmnpqrstvwxyz'
