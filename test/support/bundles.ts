import type { Db } from '../../src/db/connect.ts'
import { unbundle } from '../../src/messaging/accept/bundle-store.ts'
import type { TestService, Organisation } from './service.ts'
import { until } from './until.ts'

export type Sent = {
  id: string
  recipients: string[]
  content: string
  created_datetime: string
  external_ref?: string
}

/**
 * Sends all of it at once, in a service without workers, until some of it was accepted in a bundle: how many come
 * together is for the machine to say. What was bundled is given back, and of the rest nothing is told.
 */
export async function sendBundled(service: TestService, by: Organisation, bodies: readonly object[]): Promise<Sent[]> {
  return until('messages in a bundle', async () => {
    const answers = await Promise.all(bodies.map((body) => by.call<Sent>('POST', '/sms/send', body)))
    const refused = answers.find(({ status }) => status !== 200)
    if (refused) throw new Error(`refused: ${refused.text}`)
    const rows = await service.db<{ id: string }[]>`select id from bundled_messages where organisation_id = ${by.id}`
    const bundled = new Set(rows.map(({ id }) => id))
    const sent = answers.map(({ body }) => body).filter(({ id }) => bundled.has(id))
    return sent.length > 0 && sent
  })
}

export type BundleJob = { id: bigint; organisation_id: string; subject_id: string }

export async function bundleJobs(db: Db, organisation_id: string): Promise<BundleJob[]> {
  return db<BundleJob[]>`
    select id, organisation_id, subject_id from jobs
    where queue = 'unbundle' and organisation_id = ${organisation_id} order by id`
}

/** What the worker does to bundles, for services without workers. */
export async function unbundleAll(db: Db, organisation_id: string): Promise<void> {
  await unbundle(db, organisation_id, await bundleJobs(db, organisation_id))
}
