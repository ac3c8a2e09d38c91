import type { Channel } from '../../src/carriers/message-carrier.ts'
import type { startCarrier } from '../../src/carriers/kinds.ts'
import type { Db } from '../../src/db/connect.ts'

/** How a network treats a message. The number that the message goes to decides, so that one batch can meet them all. */
export type Mood =
  /** It takes the message, answers, and a moment later reports that it was delivered. */
  | 'delivers'
  | 'delivers_twice'
  /** The report overtakes the answer. */
  | 'delivers_early'
  /** It reports that the message was carried and did not arrive, which costs what it costs; twice. */
  | 'loses'
  /** It reports that the message was never carried after all, so that it is refunded; twice. */
  | 'disowns'
  /** Of a text in several parts it delivers all but the last. */
  | 'loses_a_part'
  /** It takes the message and thinks for a moment before it answers. */
  | 'answers_slowly'
  /** It rejects the message: for every carrier, or another one might accept it. */
  | 'refuses'
  | 'refuses_here'
  /** It does not take it the first two times. */
  | 'puts_off'
  /** It takes the message, and its answer never comes, or breaks off, or makes no sense. It reports only on request. */
  | 'hangs'
  | 'drops'
  | 'babbles'

/** What else a network may do, or never does. */
export type Habit =
  /** Its address is unreachable. */
  | 'is_away'
  /** It reports on a message that it never had from us. */
  | 'reports_strays'
  /** It hands on what people write. */
  | 'hands_on_texts'

/** What the service hands down to a carrier. */
export type CarrierDeps = Parameters<typeof startCarrier>[0]

/** A network, as the contract must know it to hold its carrier to the promises. */
export type Network = {
  channel: Channel
  /** Starts the other side: a real one, on this machine; on a given port, to which the carrier tried to connect before. */
  start(port?: number): Promise<Peer>
  /** What it cannot do, each with the reason. Everything else is put to the test. */
  never: Partial<Record<Mood | Habit, string>>
  /** As the carrier must say it of itself. */
  resubmittable: boolean
  /** The carrier reports its free capacity, and for how long it was down. */
  tells_room: boolean
  /** The carrier sends it the priority and expiry of a message. */
  told_urgency: boolean
  sends_expiry: boolean
  /**
   * It gives back a reference of ours with its reports. So a message that it may or may not have can count as handed
   * over, under a name of our own, until it tells.
   */
  knows_our_reference: boolean
  /** What people write has an id there, by which it is known when it comes again. */
  names_texts: boolean
  /** Messages of one text share a request and its answer: one that is put off puts off the others, too. */
  one_answer?: boolean
  /** Settings with which the carrier waits for an answer longer than a test does. */
  patient: object
  /** Where it finds us, if the line is one that it calls: with what the carrier was made with. */
  open?(deps: CarrierDeps): Promise<{ url: string; close(): Promise<void> }>
  /** Makes a number one that may be messaged. */
  invite?(db: Db, recipient: string): Promise<void>
  /** Does immediately what otherwise happens after a delay. */
  letTimePass?(db: Db): Promise<void>
}

/** The other side of a carrier. */
export type Peer = {
  port: number
  /** The entry of the configuration file that leads to it. */
  settings: { name: string } & Record<string, unknown>
  /** The service that it reports to. Without one it takes messages and says no more. */
  reports_to?: { url: string } | undefined
  /** A number with this behaviour, not used before, unless the mood belongs to one number. */
  number(mood: Mood): string
  /** The messages to this number that it took, in order; of a message in parts, each part. */
  taken(db: Db, recipient: string): Promise<TakenText[]>
  /** Reports that the last message to this number was delivered; false when the report was not acknowledged. */
  report?(recipient: string): Promise<boolean>
  reportStray?(): Promise<boolean>
  /** A person writes to us; the same id is the same text. */
  sendText?(text: string, id: string): Promise<boolean>
  /** Resolves when all it wanted to report is acknowledged. */
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
