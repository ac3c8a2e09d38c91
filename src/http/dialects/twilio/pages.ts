import { isId } from '../../../values/id.ts'
import { field, type Form } from '../request.ts'
import type { TwilioRequest } from './add-routes.ts'
import { TwilioFault } from './errors.ts'
import { idOf } from './resources.ts'

const PAGE_SIZE = 50
const MOST_PER_PAGE = 1_000
/** Prefixes of the id in a PageToken: the page continues below it, or ends above it. */
const BELOW = 'PA'
const ABOVE = 'PB'

/** The requested page, by keyset. Its number is only for display. */
export type PageAsked = { size: number; number: number; before?: string | undefined; after?: string | undefined }

export function readPageAsked(query: Form): PageAsked {
  const size = Number(field(query, 'PageSize') ?? PAGE_SIZE)
  if (!Number.isInteger(size) || size < 1) throw new TwilioFault(20001, 'PageSize is a number above 0.')
  const number = Number(field(query, 'Page') ?? 0)
  if (!Number.isInteger(number) || number < 0) throw new TwilioFault(20001, 'Page is a number from 0.')
  return { size: Math.min(size, MOST_PER_PAGE), number, ...readToken(field(query, 'PageToken')) }
}

function readToken(token: string | undefined): { before?: string; after?: string } {
  if (token === undefined) return {}
  const [before, after] = [idOf(BELOW, token), idOf(ABOVE, token)]
  if (isId(before)) return { before }
  if (isId(after)) return { after }
  throw new TwilioFault(20001, 'This PageToken is none of ours.')
}

/**
 * A page in Twilio's format. `found` is in search order (ascending if `after` was given), `more` says whether the
 * search would continue.
 */
export function pageOf<T extends { id: string }>(
  { query, path }: Pick<TwilioRequest, 'query' | 'path'>,
  { size, number, before, after }: PageAsked,
  name: string,
  { found, more }: { found: readonly T[]; more: string | undefined },
  show: (one: T) => object,
): object {
  const shown = after === undefined ? found : found.toReversed()
  const [newest, oldest] = [shown[0]?.id ?? before, shown.at(-1)?.id ?? after]
  // Going up, the rows below exist: the caller comes from them. Going down, likewise those above.
  const below = after === undefined ? more : oldest
  const above = after === undefined ? before && newest : more
  const uriOf = (page: number, token: string | undefined) => `${path}?${pageQuery(query, page, size, token)}`
  return {
    [name]: shown.map(show),
    uri: uriOf(number, field(query, 'PageToken')),
    first_page_uri: uriOf(0, undefined),
    next_page_uri: below === undefined ? null : uriOf(number + 1, tokenOf(BELOW, below)),
    previous_page_uri: above === undefined ? null : uriOf(Math.max(0, number - 1), tokenOf(ABOVE, above)),
    page: number,
    page_size: size,
    start: number * size,
    end: number * size + Math.max(0, shown.length - 1),
  }
}

function tokenOf(prefix: string, id: string): string {
  return prefix + id.replaceAll('-', '')
}

function pageQuery(query: Form, page: number, page_size: number, token: string | undefined): string {
  const kept = [...query].filter(([name]) => !['Page', 'PageSize', 'PageToken'].includes(name))
  const fields = new URLSearchParams()
  for (const [name, values] of kept) for (const value of values) fields.append(name, value)
  fields.set('PageSize', String(page_size))
  fields.set('Page', String(page))
  if (token !== undefined) fields.set('PageToken', token)
  return fields.toString()
}
