import { useContext, useSyncExternalStore, type AnchorHTMLAttributes, type ReactNode } from 'react'
import { ReadOnly } from './ui/Button.tsx'

/** Where we are: `#/messages/0193…?status=sent` is segments `['messages', '0193…']` and query `{status: 'sent'}`. */
export type Route = { path: string; segments: string[]; query: Record<string, string> }

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return readRoute(hash)
}

export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return {
    path: `/${path}`,
    segments: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}

/** A hand-typed address may be invalid percent-encoding; then it is used as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function subscribe(notice: () => void): () => void {
  addEventListener('hashchange', notice)
  return () => removeEventListener('hashchange', notice)
}

/** Goes to a page: `go('/messages')`. `replace` leaves no step to go back to, for filters typed letter by letter. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace) {
    history.replaceState(null, '', `#${path}`)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } else location.hash = path
}

/** Changes some of the query of the page we are on; an empty value takes it out. */
export function changeQuery(change: Record<string, string | undefined>): void {
  const { path, query } = readRoute(location.hash)
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...change })) if (value) next.set(name, value)
  go(next.size === 0 ? path : `${path}?${next}`, { replace: true })
}

/** Whether the window for something new is open: it is in the address, so that other pages can lead to it. */
export function useNew(): readonly [open: boolean, setOpen: (open: boolean) => void] {
  const { query } = useRoute()
  const read_only = useContext(ReadOnly)
  return [query.new !== undefined && !read_only, (open) => changeQuery({ new: open ? 'yes' : undefined })]
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: string
  children: ReactNode
  /** Whether it leads to a change; a link styled as the main button does. */
  changes?: boolean
}

/** A link that leads to a change is hidden from users with read-only access. */
export function Link({ to, children, changes, ...rest }: LinkProps) {
  const read_only = useContext(ReadOnly)
  if (read_only && (changes ?? rest.className?.includes('main'))) return null
  return (
    <a href={`#${to}`} {...rest}>
      {children}
    </a>
  )
}
