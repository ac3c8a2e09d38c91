import type { ReceivedText, TakeTexts } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { compareTexts, likeliest, marksIn } from './wording.ts'
import { lockArriving, lockUnmarked, storeArrival } from './store.ts'

/** The text and sender that are kept of a probe. */
const MAX_KEPT = 1_000
const MAX_SENDER = 60

/** Takes the texts to probe phones: one that is a probe has arrived, and all others are dropped. */
export function makeTakeProbes({ db }: { db: Db }): TakeTexts {
  return async (texts) => {
    for (const text of texts) await takeProbe(db, text)
  }
}

async function takeProbe(db: Db, { carrier: phone_carrier, from, to, text }: ReceivedText): Promise<void> {
  const marks = marksIn(text)
  await transaction(db, async (tx) => {
    const marked = marks.length > 0 ? await lockArriving(tx, { phone_carrier, marks, to }) : undefined
    const probe = marked ?? likeliest(await lockUnmarked(tx, { phone_carrier, to }), text)
    if (!probe) return
    const displayed = compareTexts(probe.text, text)
    await storeArrival(tx, probe.id, {
      displayed_sender: from.slice(0, MAX_SENDER),
      displayed_text: displayed === 'equal' ? null : text.slice(0, MAX_KEPT),
      displayed,
    })
  })
}
