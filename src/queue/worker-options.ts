import type { Job, JobTable } from './store.ts'

export type WorkerOptions = {
  queue: string
  table?: JobTable
  /** Jobs in hand at most. */
  limit: number
  /** Jobs handed to one call of `work`; several calls may run at once while `limit` allows. */
  batch: number
  /** Without it a lane may fill the limit when it is alone. */
  lanes?: {
    /** A lane with this many in hand is passed over. */
    limit: (lane: string) => number
    /** Jobs of one lane that one claim may take. */
    step: number
    /**
     * An organisation may have any number of lanes. In all of them it gets at most as many as are left for others: so
     * at most half of the limit, and who comes new finds room.
     */
    many_per_organisation?: boolean
  }
  /** Jobs per second over all processes. */
  rate_per_s?: number | undefined
  /** Jobs there is room for at present, beside the limit; at 0 the queue is left alone. Without it: any number. */
  room?: (() => number) | undefined
  /**
   * Carries the jobs out, and finishes or postpones each in its own statement. What is `done` makes room at once, before
   * the slowest of its batch is.
   */
  work: (jobs: Job[], done: (job: Job) => void) => Promise<void>
}

/** Whose job it is. */
export type Place = { organisation_id: string; lane: string }
