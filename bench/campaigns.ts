import { makeCustomer, withService } from './contacts.ts'
import type { Figure } from './sends.ts'

const PEOPLE = Number(process.env.BENCH_CAMPAIGN ?? 1_000_000)
const PART = 10_000
const CREDIT = 100_000_000_0000n
const LOOK_EVERY_MS = 250

type Campaign = {
  id: string
  status: string
  estimate?: { people: number; charge: number }
  progress: { accepted: number }
}

/** A campaign of a million people, each with a text of their own: uploaded, estimated, and the first of it sent. */
export function benchCampaigns(): Promise<Figure[]> {
  return withService(async ({ db, url }) => {
    const { call } = await makeCustomer(db, url, CREDIT)
    const { id } = await call<Campaign>('POST', '/campaigns', { content: 'Dear {{name}}, we open at eight tomorrow.' })
    const path = `/campaigns/${id}`
    const uploading = performance.now()
    for (let n = 0; n < PEOPLE; n += PART) await call('POST', `${path}/recipients`, { recipients: peopleFrom(n) })
    const uploaded_s = (performance.now() - uploading) / 1_000
    const before = process.memoryUsage().rss
    let most = before
    const read = async (): Promise<Campaign> => {
      most = Math.max(most, process.memoryUsage().rss)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      return call<Campaign>('GET', path)
    }
    const estimating = performance.now()
    const used = process.cpuUsage()
    await call('POST', `${path}/estimate`)
    let campaign = await read()
    while (campaign.status === 'estimating') campaign = await read()
    const estimated_s = (performance.now() - estimating) / 1_000
    const { user, system } = process.cpuUsage(used)
    const { people = 0, charge = 0 } = campaign.estimate ?? {}
    const starting = performance.now()
    await call('POST', `${path}/start`, { people, charge })
    while (campaign.progress.accepted < people / 10) campaign = await read()
    const sent_s = (performance.now() - starting) / 1_000
    await call('POST', `${path}/cancel`)
    return [
      { name: `upload ${people.toLocaleString('en')} people, 10,000 at a time`, figure: `${uploaded_s.toFixed(1)} s` },
      { name: 'estimate all of them, each with an own text', figure: `${estimated_s.toFixed(1)} s` },
      { name: 'processor time of the service for that', figure: `${((user + system) / 1e6).toFixed(1)} s` },
      { name: 'memory grown by that, at most', figure: `${Math.round((most - before) / 1e6)} MB` },
      {
        name: 'accepted and submitted while running',
        figure: `${Math.round(campaign.progress.accepted / sent_s).toLocaleString('en')}/s`,
      },
    ]
  })
}

function peopleFrom(first: number): object[] {
  return Array.from({ length: Math.min(PART, PEOPLE - first) }, (_, n) => ({
    to: `0803${String(first + n).padStart(7, '0')}`,
    substitutions: { name: `Ada ${first + n}` },
  }))
}
