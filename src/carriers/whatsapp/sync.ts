import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { startPeriodicJob, type PeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Log } from '../../values/log.ts'
import { at, shortText } from '../vendor-values.ts'
import { listAt, type Graph } from './graph.ts'
import type { WhatsappSettings } from './schema.ts'
import { readClock, replaceTemplates } from './store.ts'
import { reasonOf, type KnownTemplate } from './templates.ts'

/** 10,000 templates; Meta allows an account 6,000. */
const MAX_PAGES = 200
const MAX_CURSOR = 2_000

const RETRY_EVERY_MS = 30_000

/** Syncs the templates every `sync_minutes`, and sooner after a failure. Several processes may do so concurrently. */
export function startSync(
  { db, log, graph }: { db: Db; log: Log; graph: Graph },
  { name: carrier, sync_minutes }: WhatsappSettings,
): PeriodicJob {
  const interval_ms = sync_minutes * 60_000
  let synced_at_ms = -Infinity

  async function syncIfDue(): Promise<void> {
    if (Date.now() - synced_at_ms < interval_ms) return
    const templates = await syncTemplates({ db, graph }, carrier)
    synced_at_ms = Date.now()
    log.info({ carrier, templates }, 'WhatsApp templates were read')
  }

  function onFailure(fault: unknown): void {
    const cause = fault instanceof SyncFault ? { reason: fault.message } : { err: fault }
    log.warn({ carrier, ...cause }, 'WhatsApp templates could not be read')
  }

  return startPeriodicJob(Math.min(interval_ms, RETRY_EVERY_MS), syncIfDue, onFailure, { at_start: true })
}

/** Meta's error message. */
export class SyncFault extends Error {}

/** Replaces the stored templates of a number by those of its business account; if reading fails, they stay. */
export async function syncTemplates(deps: { db: Db; graph: Graph }, carrier: string): Promise<number> {
  const began = await readClock(deps.db)
  const templates = await readTemplates(deps.graph)
  await transaction(deps.db, (tx) => replaceTemplates(tx, carrier, templates, began))
  return templates.length
}

async function readTemplates(graph: Graph): Promise<KnownTemplate[]> {
  const templates: KnownTemplate[] = []
  let after: string | undefined
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await graph.templates(after)
    if (answer.kind !== 'answered') throw new SyncFault(answer.description)
    const { status, json } = answer
    if (status !== 200 || !Array.isArray(at(json, 'data'))) {
      throw new SyncFault(shortText(at(json, 'error', 'message')) ?? `HTTP ${status}`)
    }
    templates.push(...listAt(json, 'data').flatMap(readTemplate))
    // The link to the next page is not followed: it could send our token to any host.
    const cursor = at(json, 'paging', 'next') === undefined ? undefined : at(json, 'paging', 'cursors', 'after')
    if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR) return templates
    after = cursor
  }
  throw new SyncFault('the list of templates does not end')
}

function readTemplate(entry: unknown): KnownTemplate[] {
  const [name, language] = [shortText(at(entry, 'name')), shortText(at(entry, 'language'))]
  if (name === undefined || language === undefined) return []
  return [
    {
      name,
      language,
      category: shortText(at(entry, 'category')) ?? '',
      status: (shortText(at(entry, 'status')) ?? '').toUpperCase(),
      components: at(entry, 'components') ?? [],
      template_id: shortText(at(entry, 'id')) ?? null,
      reason: reasonOf(at(entry, 'rejected_reason')),
      quality: shortText(at(entry, 'quality_score', 'score'))?.toUpperCase() ?? null,
      previous_category: shortText(at(entry, 'previous_category'))?.toUpperCase() ?? null,
    },
  ]
}
