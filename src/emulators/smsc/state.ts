import type { DataSm, DeliverSm, Pdu, SubmitSm } from '../../carriers/codec/pdu.ts'
import type { BoundedCache } from '../../values/concurrency/bounded-cache.ts'
import type { Random } from './random.ts'
import type { Handsets } from './handset.ts'
import type { Reported } from './report.ts'
import type { SmscSettings } from './settings.ts'

/** Answers a submit, or not. */
export type TakeSubmit = (smsc: SmscState, esme: Esme, sm: SubmitSm | DataSm) => void

/** State shared by the files of the SMSC. */
export type SmscState = {
  settings(): SmscSettings
  take: TakeSubmit
  random: Random
  handsets: Handsets
  counts: SmscCounts
  /** By the id in the answer. */
  messages: BoundedCache<string, SmscMessage>
  /** Submits accepted in the current second, by account. */
  taken: Map<string, { second: number; count: number }>
  /** The bound ones. */
  esmes: Set<Esme>
  mailbox(system_id: string): Mailbox
  /** Runs the work after a delay, unless the SMSC was stopped; without a delay immediately. */
  later(time_ms: number, work: () => void): void
}

export type Esme = {
  /** Empty until bound. */
  system_id: string
  sends: boolean
  receives: boolean
  delivering: number
  /** Resolves to the status of the answer. */
  deliver(sm: DeliverSm, timeout_ms: number): Promise<number>
  answer(request: Pdu, command_status: number, body?: object): void
  /** Destroys the connection without an unbind. */
  cut(): void
}

export type SmscMessage = Reported & { stat: string; ended: boolean }

export type Mail = { sm: DeliverSm; via?: Esme; not_via?: Esme; onTaken?: () => void }

export type Mailbox = {
  post(mail: Mail): void
  /** To be called when a receiver has bound or has capacity again. */
  pump(): void
}

export const NO_COUNTS = {
  connections: 0,
  binds: 0,
  binds_refused: 0,
  /** submit_sm and data_sm, every segment and every attempt. */
  submits: 0,
  accepted: 0,
  throttled: 0,
  refused: 0,
  cut: 0,
  silent: 0,
  reports: 0,
  reports_taken: 0,
  texts: 0,
  /** deliver_sm that had to be sent again, or were dropped because too many waited. */
  retried: 0,
  dropped: 0,
  queries: 0,
  cancels: 0,
  unbinds: 0,
  /** PDUs that could not be read. */
  faults: 0,
}

export type SmscCounts = typeof NO_COUNTS
