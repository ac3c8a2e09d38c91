import type { NetworkModel } from './model/network.ts'

/** Counters of one carrier and operator, since the start. Texts of several parts count once per part. */
export type Counts = {
  /** submit_sm and data_sm. */
  submitted: number
  /** By status; RTHROTTLED and RMSGQFUL also for the limits of the carrier and of the simulator. */
  rejected: Record<string, number>
  accepted: number
  unanswered: number
  /** Shown on the phone. */
  delivered: number
  /** Reported as delivered, but not shown. */
  faked: number
  lost: number
  undelivered: number
  expired: number
  /** Accepted, with an outcome still to come. */
  pending: number
  /** Receipts sent, and those acknowledged by the receiver. */
  receipts: number
  receipts_acknowledged: number
  /** OTPs that people entered, and those that were right. */
  otps_entered: number
  otps_verified: number
  /** In ten-thousandths of the currency unit. */
  cost: number
}

export type CountsTable = {
  of(carrier: number, operator: number): Counts
  /** Those with a submission, by carrier and operator. */
  all(): { carrier: number; operator: number; counts: Counts }[]
}

/** An operator of -1 counts the numbers that belong to none. */
export function makeCounts({ carriers, operators }: Pick<NetworkModel, 'carriers' | 'operators'>): CountsTable {
  const table = carriers.map(() => Array.from({ length: operators.length + 1 }, noCounts))
  const of = (carrier: number, operator: number): Counts => {
    const counts = table[carrier]?.[operator + 1]
    if (!counts) throw new Error(`There are no counters for carrier ${carrier} and operator ${operator}.`)
    return counts
  }
  return {
    of,
    all: () =>
      table.flatMap((row, carrier) =>
        row.flatMap((counts, n) => (counts.submitted === 0 ? [] : [{ carrier, operator: n - 1, counts }])),
      ),
  }
}

export function noCounts(): Counts {
  return {
    submitted: 0,
    accepted: 0,
    rejected: {},
    unanswered: 0,
    delivered: 0,
    faked: 0,
    lost: 0,
    undelivered: 0,
    expired: 0,
    pending: 0,
    receipts: 0,
    receipts_acknowledged: 0,
    otps_entered: 0,
    otps_verified: 0,
    cost: 0,
  }
}
