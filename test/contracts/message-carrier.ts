import { describe } from 'vitest'
import { promisesOfHandingOver } from './message-submit.ts'
import type { Network } from './message-network.ts'
import { promisesOfReports } from './message-reports.ts'
import { promisesOfRoomAndEnd } from './message-capacity.ts'

/**
 * What every carrier of messages promises, whatever it speaks on the wire. Who writes a new one reads this list as its
 * specification, describes the network in a `Network`, and calls this function: see `message-smpp.test.ts`.
 *
 * Handing over (`message-submit.ts`), to the carrier by itself:
 *  - What the network takes is `accepted`, with an id for it, or for each of its parts.
 *  - Every message has one outcome, in the order of the messages, in batches as large as `batch` says.
 *  - A refusal for good is `rejected`, with code and sentence; `elsewhere` when another carrier may well take it.
 *  - A refusal for now is `temporary`, and the same message is taken later.
 *  - Once a message may have left, no network error makes it a certain failure, or one to be submitted again:
 *    it is `unknown`, or counts as accepted if the network will report by a reference of ours. A one-time password is
 *    always `unknown`, so that it can be sent again.
 *  - While the network is unreachable, nothing is submitted and the outcome says so; afterwards messages are sent.
 *  - `resubmittable` is true only where the same message twice is carried once.
 *  - The network receives the priority and expiry of a message, if its protocol has them. A one-time password appears
 *    in no log.
 *
 * Capacity and shutdown (`message-capacity.ts`):
 *  - `room` shrinks by the messages in flight, recovers, and is never below zero or above `limit`.
 *  - `downFor` is nothing while the network works, and grows while it does not.
 *  - Stopping ends although the network is silent, and so does every message in flight: what the network has is
 *    accepted or left open, and what was not submitted says so. So it is with what comes after the end. Stopping
 *    twice is harmless.
 *
 * Reports (`message-reports.ts`), through the whole service, on the delivery's state, its money and the callback:
 *  - A report finds its message though it comes before the answer, and counts once though it comes twice.
 *  - A message in parts is delivered when all of them are, and notified once.
 *  - What was left open is not refunded and not sent again, and a late report settles it.
 *  - What a crashed worker had in flight is submitted again if the carrier is `resubmittable`, and else left open.
 *  - A report on an unknown message does no harm.
 *  - A report, and a text that a person wrote, is acknowledged when it is stored and not before.
 */
export function messageCarrierContract(name: string, network: Network): void {
  describe('handing over', () => {
    promisesOfHandingOver(name, network)
  })
  describe('capacity and shutdown', () => {
    promisesOfRoomAndEnd(name, network)
  })
  describe('reports', () => {
    promisesOfReports(name, network)
  })
}
