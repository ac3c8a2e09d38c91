import type { Channel } from '../../src/carriers/message-carrier.ts'
import type { startCarrier } from '../../src/carriers/kinds.ts'
import type { Db } from '../../src/db/connect.ts'

/** How a network treats a message. The recipient's number determines it, so that one batch can contain all of them. */
export type Mood =
  /** It accepts the message, responds, and a moment later reports that it was delivered. */
  | 'delivers'
  | 'delivers_twice'
  /** The report arrives before the response. */
  | 'delivers_early'
  /** It reports that the message was sent and not delivered, which is charged; twice. */
  | 'loses'
  /** It reports that the message was never sent, so that it is refunded; twice. */
  | 'disowns'
  /** Of a text in several parts it delivers all but the last. */
  | 'loses_a_part'
  /** It accepts the message and delays its response. */
  | 'answers_slowly'
  /** It rejects the message: for every carrier, or another one might accept it. */
  | 'refuses'
  | 'refuses_here'
  /** It rejects it the first two times. */
  | 'puts_off'
  /** It accepts the message, and its response never arrives, is cut off, or is invalid. It reports only on request. */
  | 'hangs'
  | 'drops'
  | 'babbles'

/** Further capabilities of a network, or their absence. */
export type Habit =
  /** Its address is unreachable. */
  | 'is_away'
  /** It reports on a message that it never received from us. */
  | 'reports_strays'
  /** It forwards inbound texts. */
  | 'hands_on_texts'

/** The dependencies of a carrier. */
export type CarrierDeps = Parameters<typeof startCarrier>[0]

/** A network, as the contract has to know it to test its carrier. */
export type Network = {
  channel: Channel
  /** Starts the peer: a real one, on this machine; on a given port, to which the carrier tried to connect before. */
  start(port?: number): Promise<Peer>
  /** What it does not support, each with the reason. Everything else is tested. */
  never: Partial<Record<Mood | Habit, string>>
  /** As the carrier must declare it. */
  resubmittable: boolean
  /** The carrier reports its free capacity, and for how long it was down. */
  tells_room: boolean
  /** The carrier sends it the priority and expiry of a message. */
  told_urgency: boolean
  sends_expiry: boolean
  /**
   * It returns a reference of ours with its reports. So a message that it may or may not have can count as submitted,
   * under an id of our own, until it is reported.
   */
  knows_our_reference: boolean
  /** Inbound texts have an id there, by which a repeated one is recognised. */
  names_texts: boolean
  /**
   * Messages of one text share a request and its response: one that is rejected temporarily affects the others, too.
   */
  one_answer?: boolean
  /** Settings with which the carrier waits for a response longer than a test does. */
  patient: object
  /** Our address, if the network connects to us: with the options of the carrier. */
  open?(deps: CarrierDeps): Promise<{ url: string; close(): Promise<void> }>
  /** Prepares a number for messages. */
  invite?(db: Db, recipient: string): Promise<void>
  /** Does immediately what otherwise happens after a delay. */
  letTimePass?(db: Db): Promise<void>
}

/** The peer of a carrier. */
export type Peer = {
  port: number
  /** Its entry of the configuration file. */
  settings: { name: string } & Record<string, unknown>
  /** The service that it reports to. Without one it accepts messages and does not report. */
  reports_to?: { url: string } | undefined
  /** A number with this behaviour, not used before, unless the mood belongs to one number. */
  number(mood: Mood): string
  /** The messages to this number that it accepted, in order; of a message in parts, each part. */
  taken(db: Db, recipient: string): Promise<TakenText[]>
  /** Reports that the last message to this number was delivered; false when the report was not acknowledged. */
  report?(recipient: string): Promise<boolean>
  reportStray?(): Promise<boolean>
  /** An inbound text; the same id means the same text. */
  sendText?(text: string, id: string): Promise<boolean>
  /** Resolves when all its reports are acknowledged. */
  quiet(): Promise<void>
  close(): Promise<void>
}

export type TakenText = {
  text: string
  urgent?: boolean | undefined
  expires_in_s?: number | undefined
}

export function does(network: Network, what: Mood | Habit): boolean {
  return !(what in network.never)
}
