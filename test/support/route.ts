import type { Costs } from '../../src/carriers/costs.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import type { StoreSales } from '../../src/billing/charge.ts'
import type { Db } from '../../src/db/connect.ts'
import { makeAcceptMessages } from '../../src/messaging/accept/accept.ts'
import type { ReservingSubmitter } from '../../src/messaging/dispatch/submitter.ts'
import { startRoute, type Route } from '../../src/messaging/dispatch/route.ts'
import type { Draft } from '../../src/messaging/draft.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { makeSettler } from './settling.ts'

export const seal = makeSeal(Buffer.alloc(32, 7))

/** A carrier of the test, whose outcomes may be changed; a promise delays the outcome. */
export type TestCarrier = MessageCarrier & {
  taken: OutgoingMessage[]
  answer: (message: OutgoingMessage) => SubmitOutcome | Promise<SubmitOutcome>
}

export function makeTestCarrier(more: Partial<MessageCarrier> = {}): TestCarrier {
  const carrier: TestCarrier = {
    name: 'own',
    batch: 50,
    resubmittable: false,
    taken: [],
    answer: accepted,
    submit(messages) {
      carrier.taken.push(...messages)
      return Promise.all(messages.map(async (message) => carrier.answer(message)))
    },
    async stop() {},
    ...more,
  }
  return carrier
}

export function accepted({ message_id, recipient, attempt }: OutgoingMessage): SubmitOutcome {
  return { kind: 'accepted', carrier_message_id: `${message_id}/${recipient}/${attempt}`, report_due_s: 3_600 }
}

/** A process with one route only, on a database that others may share. */
export type RouteProcess = {
  submitters: readonly ReservingSubmitter[]
  log_lines: object[]
  /** Charges and stores a batch; with `leased`, messages within the free capacity are submitted without a claim. */
  accept(organisation_id: string, sales: Parameters<StoreSales<Draft>>[1], leased?: boolean): Promise<unknown>
  stop(): Promise<void>
}

export async function startRouteProcess(
  db: Db,
  { costs, ...route }: Omit<Route, 'name'> & { name?: string; costs?: Costs },
): Promise<RouteProcess> {
  const wakeups = await makeWakeups(db)
  const log_lines: object[] = []
  const note = (details: object): void => void log_lines.push(details)
  const { deps } = makeSettler(db, { wakeups })
  const log = { info() {}, warn: note, error: note }
  const started = startRoute({ ...deps, log, seal, costs }, { name: 'sms', ...route })
  return {
    submitters: started.submitters,
    log_lines,
    accept: (organisation_id, sales, leased = false) =>
      makeAcceptMessages({
        db,
        shared_db: db,
        wakeups,
        submittersOf: () => (leased ? started.submitters : []),
        depth: { add() {} },
      }).storeSales(organisation_id, sales),
    async stop() {
      await started.stop()
      await wakeups.close()
    },
  }
}
