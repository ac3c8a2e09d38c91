import type { Tx } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import type { InboundRow } from '../inbound/store.ts'
import { addReceived } from './store.ts'

/** Whom one can answer: a name or a short code is nobody's phone. */
const PHONE = /^[0-9]{7,15}$/

/** Begins conversations with whoever wrote, or goes on with them. */
export async function noteReceived(tx: Tx, organisation_id: string, texts: readonly InboundRow[]): Promise<void> {
  const by_phone = groupBy(
    texts.filter(({ from }) => PHONE.test(from)),
    ({ from }) => from,
  )
  const begun = [...by_phone].flatMap(([phone, own]) => {
    const newest = own.reduce((a, b) => (b.id > a.id ? b : a))
    const { id, channel, to, created_datetime: received_datetime } = newest
    return { phone, id, channel, to, received_datetime, received: BigInt(own.length) }
  })
  if (begun.length > 0) await addReceived(tx, organisation_id, begun)
}
