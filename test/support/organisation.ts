import { openAccount } from '../../src/billing/balance.ts'
import { newSecret } from '../../src/callbacks/signing/signature.ts'
import type { Db } from '../../src/db/connect.ts'
import { createOrganisation } from '../../src/organisations/create.ts'
import { registerFirstSender } from '../../src/senders/decide.ts'
import { secret_seal } from './secret-seal.ts'

/** An organisation with a balance, for tests of modules without HTTP. The credit is in ten-thousandths. */
export async function foundOrganisation(db: Db, credit: bigint): Promise<string> {
  return createOrganisation(
    { db, openAccount, newCallbackSecret: newSecret, secret_seal, registerSender: registerFirstSender },
    { name: 'Tests', default_country: 'NG', default_sender_id: 'Gangan', currency: 'NGN', credit },
  )
}
