import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { Answer, Beginning, Entry, Known, Plural } from './answers.ts'
import { ApiError, ask, withQuery } from './api.ts'
import { newKey } from './idempotency-keys.ts'
import { untilAnswered } from './outcomes.ts'
import { useOrganisationId } from './session.ts'

type Query = Record<string, string | number | undefined>

/**
 * Reads something of the chosen organisation. A null path waits until there is something to ask for. `anew`: even if it was
 * read a moment ago, such as what a form begins with; `isFetchedAfterMount` says when.
 */
export function useRead<Path extends string>(
  path: Known<'GET', Path> | null,
  options: { every_ms?: number; keep?: boolean; anew?: boolean } = {},
): UseQueryResult<Answer<'GET', Path>, ApiError> {
  const organisation_id = useOrganisationId()
  return useQuery<Answer<'GET', Path>, ApiError>({
    queryKey: [organisation_id, path],
    queryFn: ({ signal }) => ask('GET', path ?? '', undefined, { signal }),
    enabled: path !== null,
    refetchInterval: options.every_ms ?? false,
    ...(options.anew ? { refetchOnMount: 'always' as const } : {}),
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
  })
}

export type Pages<T, First = unknown> = {
  rows: T[]
  /** The whole answer of the first page, for what stands beside the list. */
  first?: First | undefined
  count_total: number | undefined
  error: ApiError | null
  /** Nothing is known yet: neither that there are rows, nor that there are none. */
  loading: boolean
  /** The rows are those of the previous query. */
  stale: boolean
  /** How far back a search has got, if it is limited. */
  searched_until: string | undefined
  /** Reads the next page, behind those already shown; undefined when all are. */
  more: (() => void) | undefined
  loading_more: boolean
}

/** A list of the service, page after page by its `query_id`. `plural` is the name of the list in the answer. */
export function usePages<Path extends string, Name extends Plural<Path>>(
  path: Known<'GET', Path> | null,
  plural: Name,
  query: Query = {},
  options: { every_ms?: number } = {},
): Pages<Entry<Path, Name>, Answer<'GET', Path>> {
  type OnePage = Page & Record<Name, Entry<Path, Name>[]>
  const organisation_id = useOrganisationId()
  const found = useInfiniteQuery<OnePage, ApiError, { pages: OnePage[] }, unknown[], string | undefined>({
    queryKey: [organisation_id, path, query],
    queryFn: ({ pageParam, signal }) =>
      ask('GET', withQuery(path ?? '', { ...query, query_id: pageParam }), undefined, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (last) => {
      const { next_page, query_id } = scrollOf(last)
      return next_page === 'True' ? query_id : undefined
    },
    enabled: path !== null,
    refetchInterval: options.every_ms ?? false,
    placeholderData: keepPreviousData,
  })
  const pages = found.data?.pages ?? []
  const last = pages.at(-1)
  const rows = pages.flatMap((page) => page[plural])
  const stale = found.isPlaceholderData
  return {
    rows,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same answer, as its operation has it
    first: pages[0] as Answer<'GET', Path> | undefined,
    count_total: last?.meta.pagination?.count_total,
    searched_until: last?.meta.searched_until,
    error: found.error,
    loading: (found.isPending && path !== null) || (stale && rows.length === 0),
    stale,
    more: found.hasNextPage ? () => void found.fetchNextPage() : undefined,
    loading_more: found.isFetchingNextPage,
  }
}

/** A list that the service answers as a whole, in the form of `usePages`. */
export function wholeList<T>(
  rows: T[] | undefined,
  { error, isPending }: Pick<UseQueryResult<unknown, ApiError>, 'error' | 'isPending'>,
): Pages<T> {
  return {
    rows: rows ?? [],
    count_total: rows?.length,
    error,
    loading: isPending,
    stale: false,
    searched_until: undefined,
    more: undefined,
    loading_more: false,
  }
}

type Scroll = { next_page?: string; query_id?: string }
type Page = { meta: Scroll & { pagination?: Scroll & { count_total?: number }; searched_until?: string } }

/** Searches that do not count say the little they know in `meta` itself. */
function scrollOf({ meta }: Page): Scroll {
  return meta.pagination ?? meta
}

/**
 * Changes something, then reads again what starts with one of the `stale` paths. The error stays until the next try,
 * so that a form can show it beside its fields. Without a body, a second click while the first is in flight is the same
 * request: it may arrive before the button is drawn as busy.
 */
export function useWrite<Body = void, Given = unknown>(
  write: (body: Body) => Promise<Given>,
  stale: readonly Beginning[] = [],
): UseMutationResult<Given, ApiError, Body> {
  const refresh = useRefresh()
  const in_flight = useRef<Promise<Given>>(undefined)
  return useMutation<Given, ApiError, Body>({
    mutationFn: (body) => {
      if (body !== undefined) return write(body)
      in_flight.current ??= write(body).finally(() => {
        in_flight.current = undefined
      })
      return in_flight.current
    },
    onSuccess: () => refresh(...stale),
    // Without a connection it fails and says so, instead of waiting silently to be sent later.
    networkMode: 'always',
  })
}

/** What a call that must not happen twice is sent with. */
type Once = { idempotency_key: string; once: true; organisation_id?: string }

/**
 * Like `useWrite`, with an idempotency key, for actions that must not happen twice, such as a charge. Where the answer is
 * lost with the connection, the call is repeated with its key, for the organisation it was made for, and `what` names it
 * in the report of its outcome. The key is kept while the outcome is unknown, so that a second click counts once.
 */
export function useOnce<Body = void, Given = unknown>(
  what: string,
  write: (body: Body, once: Once) => Promise<Given>,
  stale: readonly Beginning[] = [],
): UseMutationResult<Given, ApiError, Body> {
  const organisation_id = useOrganisationId()
  const key = useRef(newKey())
  return useWrite(async (body: Body) => {
    const once: Once = { idempotency_key: key.current, once: true, ...(organisation_id && { organisation_id }) }
    try {
      const answer = await untilAnswered(what, () => write(body, once))
      key.current = newKey()
      return answer
    } catch (fault) {
      if (fault instanceof ApiError && fault.status >= 400 && fault.status < 500) key.current = newKey()
      throw fault
    }
  }, stale)
}

/** Reads again whatever is shown from paths that start with one of these. */
export function useRefresh(): (...prefixes: Beginning[]) => void {
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
