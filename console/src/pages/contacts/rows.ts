import {
  keepPreviousData,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryCache,
} from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { Answers } from '../../answers.ts'
import { call, type ApiError } from '../../api.ts'
import { useSession } from '../../session.ts'
import { finished, ROWS, type ContactRow, type Group } from './contacts.ts'

const PAGE_ROWS = 200
/** Rows read before and behind those in view. */
const AHEAD = 100
const FRESH_MS = 30_000
/** How long pages that are out of view are kept: of a million rows only those that were seen lately. */
const KEPT_MS = 60_000
/** Pages kept out of view at most, however fast a long list is scrolled. */
const MOST_KEPT = 50

export type Search = { groups: readonly Group[]; search: string; sort: string }

type Answer = Answers['POST /lists/contact/rows/query']

export type Rows = {
  /** How many rows there are, as far as is known. */
  count: number
  count_total: number | undefined
  /** When the total of a long list was read; undefined if the total is exact. */
  counted_ms: number | undefined
  /** Undefined while it is being read. */
  rowAt: (index: number) => ContactRow | undefined
  /** Reads what is in view. */
  show: (first: number, last: number) => void
  /** All rows from one to another, also those that were never in view. */
  between: (first: number, last: number) => Promise<ContactRow[]>
  /** What was asked for; differs where the list does. */
  asked: string
  error: ApiError | null
  retry: () => void
  loading: boolean
  /** What is shown is what was asked for before. */
  stale: boolean
}

/** What the service is asked. */
export function askedOf({ groups, search, sort }: Search): object {
  return {
    filters: finished(groups),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(sort ? { sort } : {}),
  }
}

function pageOptions(organisation_id: string, asked: object, page: number) {
  return queryOptions<Answer, ApiError>({
    queryKey: [organisation_id, ROWS, asked, page],
    queryFn: ({ signal }) => call('POST', `${ROWS}/query`, { ...asked, limit: PAGE_ROWS, page }, { signal }),
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Compared row by row, a page would hold up the browser.
    structuralSharing: false,
  })
}

/** The rows that match a search, read where they are in view: the end of a million costs no more than the beginning. */
export function useRows(search: Search): Rows {
  const { organisation } = useSession()
  const client = useQueryClient()
  const asked = askedOf(search)
  const [seen, setSeen] = useState<readonly number[]>([])
  const first = useQuery({ ...pageOptions(organisation.id, asked, 1), placeholderData: keepPreviousData })
  const stale = first.isPlaceholderData
  const others = useQueries({
    queries: stale ? [] : seen.map((page) => pageOptions(organisation.id, asked, page)),
  })
  const pages = new Map([[1, first.data], ...others.map(({ data }, n) => [seen[n] ?? 1, data] as const)])
  const total = useTotal(asked, first.data?.meta.pagination.count_total)
  const count_total = total?.count ?? first.data?.meta.pagination.count_total
  const counted_ms =
    count_total !== undefined && count_total >= AT_LEAST ? (total?.at_ms ?? first.dataUpdatedAt) : undefined
  const show = useCallback(
    (from: number, to: number) => {
      const wanted = pagesOf(from - AHEAD, to + AHEAD).filter((page) => page > 1)
      setSeen((before) => (before.join() === wanted.join() ? before : wanted))
    },
    [setSeen],
  )
  useEffect(() => dropOldest(client.getQueryCache(), organisation.id), [client, organisation.id, seen])
  const failed = [first, ...others].filter(({ isError }) => isError)
  return {
    count: countOf(pages, count_total ?? 0),
    count_total,
    counted_ms,
    rowAt: (index) => pages.get(pageOf(index))?.rows[index % PAGE_ROWS],
    show,
    between: async (from, to) => {
      const found: ContactRow[] = []
      for (const page of pagesOf(from, to)) {
        found.push(...(await client.ensureQueryData(pageOptions(organisation.id, asked, page))).rows)
      }
      const start = from - (from % PAGE_ROWS)
      return found.slice(from - start, to - start + 1)
    },
    asked: JSON.stringify(asked),
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach(({ refetch }) => void refetch()),
    loading: first.isPending,
    stale,
  }
}

function dropOldest(cache: QueryCache, organisation_id: string): void {
  const kept = cache.findAll({ queryKey: [organisation_id, ROWS], type: 'inactive' })
  if (kept.length <= MOST_KEPT) return
  const oldest = kept.toSorted((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
  for (const page of oldest.slice(0, -MOST_KEPT)) cache.remove(page)
}

function pageOf(index: number): number {
  return Math.floor(Math.max(0, index) / PAGE_ROWS) + 1
}

function pagesOf(from: number, to: number): number[] {
  const [first, last] = [pageOf(from), pageOf(to)]
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}

/** The total may be some seconds old: what a page says of its rows is newer. */
function countOf(pages: ReadonlyMap<number, Answer | undefined>, count_total: number): number {
  let count = count_total
  for (const [page, answer] of pages) {
    if (!answer) continue
    const end = (page - 1) * PAGE_ROWS + answer.rows.length
    if (answer.meta.pagination.next_page === 'True') count = Math.max(count, end + 1)
    else count = answer.rows.length > 0 ? end : Math.min(count, end)
  }
  return count
}

/** What a total says at least while the service is still counting. */
const AT_LEAST = 10_000
const COUNTED_AGAIN_MS = 2_000
const MOST_TRIES = 5
const TOTALS = `${ROWS}/totals`

/** A long list shows its first rows before the total is known: the total is requested again. */
function useTotal(asked: object, first: number | undefined): { count: number; at_ms: number } | undefined {
  const { organisation } = useSession()
  const found = useQuery({
    queryKey: [organisation.id, TOTALS, asked],
    queryFn: async ({ signal }) => {
      const { meta } = await call('POST', `${ROWS}/query`, { ...asked, limit: 1 }, { signal })
      return meta.pagination.count_total
    },
    enabled: first === AT_LEAST,
    refetchInterval: ({ state }) =>
      state.data === AT_LEAST && state.dataUpdateCount < MOST_TRIES ? COUNTED_AGAIN_MS : false,
    refetchOnWindowFocus: false,
  })
  const is_counted = first === AT_LEAST && found.data !== undefined
  return is_counted ? { count: found.data, at_ms: found.dataUpdatedAt } : undefined
}

/** Puts a row as the service now has it into every list that shows it, without reading them again. */
export function useTakeRow(): (row: ContactRow) => void {
  const client = useQueryClient()
  const { organisation } = useSession()
  return (row) => {
    client.setQueriesData<Answer>({ queryKey: [organisation.id, ROWS] }, (page) =>
      page?.rows.some(({ id }) => id === row.id)
        ? { ...page, rows: page.rows.map((each) => (each.id === row.id ? row : each)) }
        : page,
    )
  }
}

/** Reads the sheet again after many rows were changed: what is in view now, the rest when it comes into view. */
export function useReadAgain(): () => void {
  const client = useQueryClient()
  const { organisation } = useSession()
  return useCallback(() => {
    void client.invalidateQueries({ queryKey: [organisation.id, ROWS] })
    void client.invalidateQueries({ queryKey: [organisation.id, TOTALS] })
  }, [client, organisation.id])
}
