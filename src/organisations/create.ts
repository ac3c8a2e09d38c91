import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import { sealCallbackSecret } from './callback-secrets.ts'
import { insertOrganisation } from './store.ts'

/** What other rooms do for a new organisation; the wiring hands it in. */
export type Founding = {
  db: Db
  openAccount: (tx: Tx, organisation_id: string, credit: bigint) => Promise<void>
  newCallbackSecret: () => string
  secret_seal: SecretSeal
  /** The default sender is approved from the start. */
  registerSender: (tx: Tx, organisation_id: string, sender_id: string) => Promise<void>
}

export type OrganisationOptions = {
  name: string
  default_country: string
  default_sender_id: string | null
  currency: string
  credit: bigint
}

/** Makes an organisation and its test twin, each with the opening credit, and returns the organisation's id. */
export async function createOrganisation(deps: Founding, options: OrganisationOptions): Promise<string> {
  return transaction(deps.db, (tx) => foundOrganisation(deps, tx, options))
}

/** The joining form. Who has to know the id before brings it along. */
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
