import { useInfiniteQuery, useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Answers } from '../../answers.ts'
import { call, type ApiError } from '../../api.ts'
import { useSession } from '../../session.ts'
import { finished, ROWS, type ContactRow, type Group } from './contacts.ts'

const AT_ONCE = 200
/** Pages refetched in place; of a longer list only the first page is refetched. */
const PAGES_READ_AGAIN = 5

export type Search = { groups: readonly Group[]; search: string; sort: string }

type Answer = Answers['POST /lists/contact/rows/query']
type Kept = { pages: Answer[]; pageParams: unknown[] }

export type Rows = {
  rows: readonly ContactRow[]
  count_total: number | undefined
  error: ApiError | null
  loading: boolean
  /** What is shown is what was asked for before. */
  stale: boolean
  more: (() => void) | undefined
}

/** What the service is asked. */
export function askedOf({ groups, search, sort }: Search): object {
  return {
    filters: finished(groups),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(sort ? { sort } : {}),
  }
}

/** The rows a search holds for, read on as the grid is scrolled: a million cost no more than the first. */
export function useRows(search: Search): Rows {
  const { organisation } = useSession()
  const asked = askedOf(search)
  const found = useInfiniteQuery<Answer, ApiError, Kept, unknown[], string | undefined>({
    queryKey: [organisation.id, ROWS, asked],
    queryFn: ({ pageParam, signal }) =>
      call(
        'POST',
        `${ROWS}/query`,
        pageParam === undefined ? { ...asked, limit: AT_ONCE } : { limit: AT_ONCE, query_id: pageParam },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: ({ meta: { pagination } }) => (pagination.next_page === 'True' ? pagination.query_id : undefined),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Compared row by row, a page that comes late in a long list would hold the browser up.
    structuralSharing: false,
  })
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = found
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data])
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return {
    rows,
    count_total: useTotal(asked, data?.pages[0]?.meta.pagination.count_total),
    error: found.error,
    loading: found.isPending,
    stale: found.isPlaceholderData,
    more: hasNextPage && !isFetchingNextPage && !found.isPlaceholderData ? more : undefined,
  }
}

/** What a total says at least while the service is still counting. */
const AT_LEAST = 10_000
const COUNTED_AGAIN_MS = 2_000
const MOST_TRIES = 5
const TOTALS = `${ROWS}/totals`

/** A long list shows its first rows before the total is known: the total is requested again. */
function useTotal(asked: object, first: number | undefined): number | undefined {
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
  return first === AT_LEAST ? (found.data ?? first) : first
}

/** Puts a row as the service now has it into every list that shows it, without reading them again. */
export function useTakeRow(): (row: ContactRow) => void {
  const client = useQueryClient()
  const { organisation } = useSession()
  return (row) => {
    client.setQueriesData<Kept>(
      { queryKey: [organisation.id, ROWS] },
      (kept) =>
        kept && {
          ...kept,
          pages: kept.pages.map((page) =>
            page.rows.some(({ id }) => id === row.id)
              ? { ...page, rows: page.rows.map((each) => (each.id === row.id ? row : each)) }
              : page,
          ),
        },
    )
  }
}

/** Reads the sheet again after many rows were changed. A page for each that was seen would be too many. */
export function useReadAgain(): () => void {
  const client = useQueryClient()
  const { organisation } = useSession()
  return useCallback(() => {
    const filters = { queryKey: [organisation.id, ROWS] }
    client.setQueriesData<Kept>(filters, (kept) =>
      kept && kept.pages.length > PAGES_READ_AGAIN
        ? { pages: kept.pages.slice(0, 1), pageParams: kept.pageParams.slice(0, 1) }
        : kept,
    )
    void client.invalidateQueries(filters)
    void client.invalidateQueries({ queryKey: [organisation.id, TOTALS] })
  }, [client, organisation.id])
}
