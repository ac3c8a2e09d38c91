import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { startPeriodicJob, type PeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Log } from '../../values/log.ts'
import { at, shortText } from '../vendor-values.ts'
import { listAt, type Graph } from './graph.ts'
import { readLimit } from './limit.ts'
import type { WhatsappSettings } from './schema.ts'
import { listNumbers, noteNumber, recountLimit, registerNumber, saveLimit } from './number-store.ts'
import { readClock, replaceTemplates } from './template-store.ts'
import { reasonOf, type KnownTemplate } from './templates.ts'

/** 10,000 templates; Meta allows an account 6,000. */
const MAX_PAGES = 200
const MAX_CURSOR = 2_000

const RETRY_EVERY_MS = 30_000

/**
 * Reads what Meta says of the number, and of an account its templates, every `sync_minutes`, and sooner after a failure.
 * In between the people are counted who count toward the messaging limit. Several processes may do so concurrently.
 */
export function startSync(deps: SyncDeps, settings: WhatsappSettings): PeriodicJob {
  const { db, log, graph, meters } = deps
  const { name: carrier, account, sync_minutes } = settings
  const interval_ms = sync_minutes * 60_000
  let synced_at_ms = -Infinity
  let is_registered = false

  async function syncIfDue(): Promise<void> {
    if (!is_registered) await transaction(db, (tx) => registerNumber(tx, settings))
    is_registered = true
    if (Date.now() - synced_at_ms >= interval_ms) {
      await Promise.all([syncNumber({ db, graph }, settings), carrier === account ? readAll() : undefined])
      synced_at_ms = Date.now()
    }
    if (carrier === account) await countPeople()
    const known = (await listNumbers(db)).find((one) => one.carrier === carrier)
    meters.whatsapp_quality.set({ carrier }, QUALITIES[known?.quality ?? ''] ?? 0)
  }

  async function readAll(): Promise<void> {
    const templates = await syncTemplates({ db, graph }, account)
    log.info({ carrier, templates }, 'WhatsApp templates were read')
  }

  async function countPeople(): Promise<void> {
    const limit = await transaction(db, (tx) => recountLimit(tx, account))
    if (!limit) {
      meters.whatsapp_limit.remove({ carrier })
      meters.whatsapp_limit_used.remove({ carrier })
      return
    }
    meters.whatsapp_limit.set({ carrier }, limit.recipients)
    meters.whatsapp_limit_used.set({ carrier }, limit.used)
  }

  function onFailure(fault: unknown): void {
    const cause = fault instanceof SyncFault ? { reason: fault.message } : { err: fault }
    log.warn({ carrier, ...cause }, 'WhatsApp templates, or the state of a number, could not be read')
  }

  return startPeriodicJob(Math.min(interval_ms, RETRY_EVERY_MS), syncIfDue, onFailure, { at_start: true })
}

type SyncDeps = {
  db: Db
  log: Log
  graph: Graph
  meters: Pick<Meters, 'whatsapp_quality' | 'whatsapp_limit' | 'whatsapp_limit_used'>
}

/** Of the metric; 0: unknown. */
const QUALITIES: Record<string, number> = { RED: 1, YELLOW: 2, GREEN: 3 }

/** Reads the quality of a number and the messaging limit, which is that of the whole portfolio. */
export async function syncNumber(
  { db, graph }: { db: Db; graph: Pick<Graph, 'number'> },
  { name: carrier, account }: Pick<WhatsappSettings, 'name' | 'account'>,
): Promise<void> {
  const answer = await graph.number()
  if (answer.kind !== 'answered') throw new SyncFault(answer.description)
  const { status, json } = answer
  if (status !== 200) throw new SyncFault(shortText(at(json, 'error', 'message')) ?? `HTTP ${status}`)
  await noteNumber(db, carrier, {
    quality: shortText(at(json, 'quality_rating')),
    status: shortText(at(json, 'status')),
  })
  const limit = readLimit(at(json, 'whatsapp_business_manager_messaging_limit'))
  if (limit !== undefined) await saveLimit(db, account, limit)
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
