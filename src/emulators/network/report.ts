import type { Counts } from './counts.ts'
import type { Network } from './start.ts'

/** What happened in a run, and what the scenario makes of each carrier. */
export type NetworkReport = {
  simulated_s: number
  seed: number
  carriers: ReportRow[]
  /** By operator, at the end of the run: the least expensive carrier with the best expected share of delivered messages. */
  best: BestCarrier[]
}

/** A carrier and an operator; an empty operator stands for numbers that belong to none. */
export type ReportRow = { carrier: string; operator: string } & Omit<Counts, 'cost'> & { cost: bigint }

export type BestCarrier = { operator: string; carrier: string; delivered_share: number; cost_per_message: bigint }

export function makeNetworkReport({ model, counts, now }: Network, seed: number): NetworkReport {
  const now_ms = now()
  return {
    simulated_s: Math.round(now_ms / 1_000),
    seed,
    carriers: counts.all().map(({ carrier, operator, counts: { cost, ...own } }) => ({
      carrier: model.carriers[carrier]?.name ?? '',
      operator: model.operators[operator] ?? '',
      ...own,
      rejected: { ...own.rejected },
      cost: BigInt(cost),
    })),
    best: model.operators.map((operator, n) => {
      const carrier = model.oracle(n, now_ms)
      const { delivered, cost } = model.expect(carrier, n, now_ms)
      return {
        operator,
        carrier: model.carriers[carrier]?.name ?? '',
        delivered_share: Math.round(delivered * 10_000) / 10_000,
        cost_per_message: BigInt(Math.round(cost)),
      }
    }),
  }
}
