import { makeAllowance, type Allowance } from './brake.ts'
import { makeBucket, type Bucket } from './bucket.ts'
import { makePermits, type Permits } from './permits.ts'
import type { SmppServerSettings } from './settings.ts'

/** What all binds of an organisation in this process share: its accounts together get no more. */
export type Organisation = {
  /** Submits and queries. */
  readonly bucket: Bucket
  /** PDUs of any kind. */
  readonly pdus: Allowance
  /** Submits and queries that are carried out at a time. */
  readonly work: Permits
  /** Segments that are stored at a time: those of one text wait for each other in the database. */
  readonly segments: Permits
  /** Submits and queries may be unanswered at a time. */
  readonly window_size: number
  /** Binds it has here, or is about to have. */
  binds: number
}

/** The statements of one organisation that may wait for a connection before those of another. */
const WORK_AT_A_TIME = 100
/** Half of the connections there are for it. */
const SEGMENTS_AT_A_TIME = 2

export function openOrganisation({ limits }: SmppServerSettings): Organisation {
  return {
    bucket: makeBucket(limits.rate_per_s_per_organisation),
    pdus: makeAllowance(limits.rate_per_s_per_organisation),
    work: makePermits(WORK_AT_A_TIME),
    segments: makePermits(SEGMENTS_AT_A_TIME),
    window_size: limits.window_per_organisation,
    binds: 0,
  }
}
