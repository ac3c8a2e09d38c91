import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { at, words } from '../vendor-words.ts'
import { listAt, type Graph } from './graph.ts'
import { replaceTemplates } from './store.ts'
import type { KnownTemplate } from './templates.ts'

/** An account has at most 6,000 templates; a list that goes on is not one of templates. */
const MAX_PAGES = 200
const MAX_CURSOR = 2_000

/** Why the templates could not be read, in Meta's words. */
export class SyncFault extends Error {}

/** Reads the templates of a number's business account and keeps them; what was kept before stays when that fails. */
export async function syncTemplates(deps: { db: Db; graph: Graph }, carrier: string): Promise<number> {
  const templates = await readTemplates(deps.graph)
  await transaction(deps.db, (tx) => replaceTemplates(tx, carrier, templates))
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
      throw new SyncFault(words(at(json, 'error', 'message')) ?? `HTTP ${status}`)
    }
    templates.push(...listAt(json, 'data').flatMap(readTemplate))
    // The link to the next page is not followed: it could lead our token anywhere.
    const cursor = at(json, 'paging', 'next') === undefined ? undefined : at(json, 'paging', 'cursors', 'after')
    if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR) return templates
    after = cursor
  }
  throw new SyncFault('the list of templates does not end')
}

function readTemplate(entry: unknown): KnownTemplate[] {
  const [name, language] = [words(at(entry, 'name')), words(at(entry, 'language'))]
  if (name === undefined || language === undefined) return []
  return [
    {
      name,
      language,
      category: words(at(entry, 'category')) ?? '',
      status: (words(at(entry, 'status')) ?? '').toUpperCase(),
      components: at(entry, 'components') ?? [],
    },
  ]
}
