import { describe } from 'vitest'
import { promisesOfHandingOver } from './message-submit.ts'
import type { Network } from './message-network.ts'
import { promisesOfReports } from './message-reports.ts'
import { promisesOfRoomAndEnd } from './message-capacity.ts'

/**
 * The contract of every carrier of messages, for any protocol. The author of a new carrier uses this list as its
 * specification, describes the network in a `Network`, and calls this function: see `message-smpp.test.ts`.
 *
 * Submission (`message-submit.ts`), with the carrier alone:
 *  - A message that the network accepts is `accepted`, with an id for it, or for each of its parts.
 *  - Every message has one outcome, in the order of the messages, in batches up to `batch`.
 *  - A permanent rejection is `rejected`, with code and description; `elsewhere` if another carrier may accept it.
 *  - A temporary rejection is `temporary`, and the same message is accepted later.
 *  - Once a message may have left, no network error makes it a certain failure, or one to be submitted again:
 *    it is `unknown`, or counts as accepted if the network will report by a reference of ours. A one-time password is
 *    always `unknown`, so that it can be sent again.
 *  - While the network is unreachable, nothing is submitted and the outcome says so; afterwards messages are sent.
 *  - `resubmittable` is true only if the same message submitted twice is sent once.
 *  - The network receives the priority and expiry of a message, if its protocol has them. A one-time password appears
 *    in no log.
 *
 * Capacity and shutdown (`message-capacity.ts`):
 *  - `freeCapacity` decreases by the messages in flight, recovers, and is never below zero or above `limit`.
 *  - `downFor` is undefined while the network works, and grows while it does not.
 *  - Stopping ends although the network does not respond, and so does every message in flight: a message that the network
 *    has is accepted or unknown, and one that was not submitted says so, also after the end. Stopping twice is harmless.
 *
 * Reports (`message-reports.ts`), through the whole service, by the delivery's status, the ledger and the callback:
 *  - A report finds its message although it arrives before the response, and counts once although it arrives twice.
 *  - A message in parts is delivered when all of them are, and reported once.
 *  - An unknown message is neither refunded nor sent again, and a late report settles it.
 *  - Messages in flight of a crashed worker are submitted again if the carrier is `resubmittable`, and otherwise unknown.
 *  - A report on an unknown message has no effect.
 *  - A report, and an inbound text, is acknowledged when it is stored and not before.
 */
export function messageCarrierContract(name: string, network: Network): void {
  describe('submission', () => {
    promisesOfHandingOver(name, network)
  })
  describe('capacity and shutdown', () => {
    promisesOfRoomAndEnd(name, network)
  })
  describe('reports', () => {
    promisesOfReports(name, network)
  })
}
