import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import { sealCallbackSecret } from './callback-secrets.ts'
import { insertOrganisation } from './store.ts'

/** Steps of other modules for a new organisation, passed in by `service.ts`. */
export type Founding = {
  db: Db
  openAccount: (tx: Tx, organisation_id: string, credit: bigint) => Promise<void>
  newCallbackSecret: () => string
  secret_seal: SecretSeal
  /** Approves the default sender. */
  registerSender: (tx: Tx, organisation_id: string, sender_id: string) => Promise<void>
}

export type OrganisationOptions = {
  name: string
  default_country: string
  default_sender_id: string | null
  currency: string
  credit: bigint
}

/** Creates an organisation and its test twin, each with the opening credit, and returns the organisation's id. */
export async function createOrganisation(deps: Founding, options: OrganisationOptions): Promise<string> {
  return transaction(deps.db, (tx) => foundOrganisation(deps, tx, options))
}

/** The same within a transaction; the caller may choose the id. */
export async function foundOrganisation(
  deps: Founding,
  tx: Tx,
  options: OrganisationOptions,
  id: string = newId(),
): Promise<string> {
  const { name, default_country, default_sender_id, currency } = options
  for (const one of [
    { id, name, mode: 'live' as const, twin_of: null },
    { id: newId(), name: `${name} (test)`, mode: 'test' as const, twin_of: id },
  ]) {
    await insertOrganisation(tx, {
      ...one,
      default_country,
      default_sender_id,
      currency,
      callback_secret: sealCallbackSecret(deps.secret_seal, one.id, deps.newCallbackSecret()),
    })
    await deps.openAccount(tx, one.id, options.credit)
  }
  if (default_sender_id !== null) await deps.registerSender(tx, id, default_sender_id)
  return id
}
