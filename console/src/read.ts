import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { ApiError, call, withQuery, type Pagination } from './api.ts'
import { useOrganisationId } from './session.ts'

type Query = Record<string, string | number | undefined>

/** Reads something of the chosen organisation. A null path waits until there is something to ask for. */
export function useRead<T>(
  path: string | null,
  options: { every_ms?: number; keep?: boolean } = {},
): UseQueryResult<T, ApiError> {
  const organisation_id = useOrganisationId()
  return useQuery<T, ApiError>({
    queryKey: [organisation_id, path],
    queryFn: ({ signal }) => call<T>('GET', path ?? '', undefined, { signal }),
    enabled: path !== null,
    refetchInterval: options.every_ms ?? false,
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
  })
}

export type Pages<T> = {
  rows: T[]
  count_total: number | undefined
  error: ApiError | null
  loading: boolean
  /** Reads the next page, behind those already shown; undefined when all are. */
  more: (() => void) | undefined
  loading_more: boolean
}

/** A list of the service, page after page by its `query_id`. `plural` is the name of the list in the answer. */
export function usePages<T>(
  path: string | null,
  plural: string,
  query: Query = {},
  options: { every_ms?: number } = {},
): Pages<T> {
  const organisation_id = useOrganisationId()
  const found = useInfiniteQuery<Record<string, unknown>, ApiError, T[], unknown[], string | undefined>({
    queryKey: [organisation_id, path, query],
    queryFn: ({ pageParam, signal }) =>
      call('GET', withQuery(path ?? '', { ...query, query_id: pageParam }), undefined, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (last) => {
      const { pagination } = last.meta as { pagination: Pagination }
      return pagination.next_page === 'True' ? pagination.query_id : undefined
    },
    select: ({ pages }) => pages.flatMap((page) => page[plural] as T[]),
    enabled: path !== null,
    refetchInterval: options.every_ms ?? false,
    placeholderData: keepPreviousData,
  })
  const client = useQueryClient()
  const cached = client.getQueryData<{ pages: Record<string, unknown>[] }>([organisation_id, path, query])
  const meta = cached?.pages[0]?.meta as { pagination?: Pagination } | undefined
  return {
    rows: found.data ?? [],
    count_total: meta?.pagination?.count_total,
    error: found.error,
    loading: found.isPending && path !== null,
    more: found.hasNextPage ? () => void found.fetchNextPage() : undefined,
    loading_more: found.isFetchingNextPage,
  }
}

/**
 * Changes something, then reads again what starts with one of the `stale` paths. The error stays until the next try,
 * so that a form can show it beside its fields.
 */
export function useWrite<Body = void, Answer = unknown>(
  write: (body: Body) => Promise<Answer>,
  stale: readonly string[] = [],
): UseMutationResult<Answer, ApiError, Body> {
  const refresh = useRefresh()
  return useMutation<Answer, ApiError, Body>({ mutationFn: write, onSuccess: () => refresh(...stale) })
}

/** Reads again whatever is shown from paths that start with one of these. */
export function useRefresh(): (...prefixes: string[]) => void {
  const client = useQueryClient()
  return (...prefixes) => {
    void client.invalidateQueries({
      predicate: ({ queryKey }) => {
        const path = queryKey[1]
        return typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix))
      },
    })
  }
}
