import type { Db } from '../db/connect.ts'
import { TESTABLE_KINDS, testSend, type TestSend, type TestSent } from '../messaging/dispatch/test-send.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { Refusal } from '../values/refusal.ts'

/** Sends a message through a carrier of the running service, and records who did, without the number. */
export async function sendTest(
  deps: { db: Db; wakeups: Wakeups },
  who: Actor,
  { name, kind }: { name: string; kind: string },
  message: TestSend,
): Promise<TestSent> {
  if (!TESTABLE_KINDS.includes(kind)) {
    throw new Refusal('conflict', `A carrier of the kind ${kind} takes messages of organisations only.`)
  }
  const sent = await testSend(deps, name, message)
  const after = { outcome: sent.outcome, ...(sent.code === undefined ? {} : { code: sent.code }) }
  await recordAudit(deps.db, who, { organisation_id: null, action: 'carrier.test', subject: name, after })
  return sent
}
