import { expect } from 'vitest'
import type { CampaignReport } from '../../src/campaigns/report/schema.ts'
import type { CampaignWithOutcomes } from '../../src/campaigns/schema.ts'
import type { Organisation } from './service.ts'
import { until } from './until.ts'

export type Campaign = Omit<CampaignWithOutcomes, 'outcomes'> & { outcomes?: Record<string, number> }
export type Report = CampaignReport

/** Creates a draft with these recipients. */
export async function campaignOf(
  by: Pick<Organisation, 'call'>,
  body: object,
  recipients: readonly object[] = [],
): Promise<string> {
  const made = await by.call<{ id: string }>('POST', '/campaigns', body)
  expect([made.status, made.text]).toEqual([200, expect.any(String)])
  const { id } = made.body
  for (let n = 0; n < recipients.length; n += 10_000) {
    const part = { recipients: recipients.slice(n, n + 10_000) }
    expect((await by.call('POST', `/campaigns/${id}/recipients`, part)).status).toBe(200)
  }
  return id
}

export async function estimated(by: Pick<Organisation, 'call'>, id: string): Promise<Campaign> {
  expect((await by.call('POST', `/campaigns/${id}/estimate`)).status).toBe(200)
  return reached(by, id, 'estimated')
}

/** The campaign once it has this status. */
export function reached(
  by: Pick<Organisation, 'call'>,
  id: string,
  status: Campaign['status'],
  timeout_ms = 30_000,
): Promise<Campaign> {
  return until(
    `the campaign to be ${status}`,
    async () => {
      const { body } = await by.call<Campaign>('GET', `/campaigns/${id}`)
      return body.status === status && body
    },
    timeout_ms,
  )
}
