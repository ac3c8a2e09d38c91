import { useInfiniteQuery, keepPreviousData } from '@tanstack/react-query'
import type { Answers } from '../../answers.ts'
import { call, type ApiError } from '../../api.ts'
import { useSession } from '../../session.ts'
import { finished, ROWS, type ContactRow, type Filter } from './contacts.ts'

const AT_ONCE = 200

export type Search = { filters: readonly Filter[]; smartlist_id: string; sort: string }

type Answer = Answers['POST /lists/contact/rows/query']

export type Rows = {
  rows: ContactRow[]
  count_total: number | undefined
  error: ApiError | null
  loading: boolean
  more: (() => void) | undefined
}

/** The rows a search holds for, read on as the grid is scrolled: a million cost no more than the first. */
export function useRows({ filters, smartlist_id, sort }: Search): Rows {
  const { organisation } = useSession()
  const asked = {
    filters: finished(filters),
    ...(smartlist_id ? { smartlist_id } : {}),
    ...(sort ? { sort } : {}),
  }
  const found = useInfiniteQuery<Answer, ApiError, { pages: Answer[] }, unknown[], string | undefined>({
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
  })
  const pages = found.data?.pages ?? []
  return {
    rows: pages.flatMap((page) => page.rows),
    count_total: pages[0]?.meta.pagination.count_total,
    error: found.error,
    loading: found.isPending,
    more: found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined,
  }
}
