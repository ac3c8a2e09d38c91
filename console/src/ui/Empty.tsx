import type { ReactNode } from 'react'
import type { ApiError } from '../api.ts'
import { t } from '../text/text.ts'

/** Nothing here yet: a sentence why, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <div className="soft">{children}</div>}
    </div>
  )
}

/**
 * A placeholder while data is loading, in the shape of a `page` or a few lines. It takes its space immediately and becomes
 * visible after a moment, so that a quick response causes neither flicker nor layout shift.
 */
export function Loading({ page = false }: { page?: boolean }) {
  return (
    <div className={page ? 'loading loading-page' : 'loading'} role="status">
      <span className="unseen">{t('Loading…')}</span>
      <Bar />
      <Bar />
      <Bar />
    </div>
  )
}

/** The same where there is no page yet. */
export function LoadingOutside() {
  return (
    <div className="outside">
      <Loading />
    </div>
  )
}

/** Where a text will stand. */
export function Bar() {
  return <span className="bar" />
}

/** What stands in place of data that is not there: its placeholder, or why it cannot be read. */
export function Pending({ read: { data, error } }: { read: { data: unknown; error: ApiError | null } }) {
  if (data !== undefined) return null
  return error ? <Trouble error={error} /> : <Loading />
}

/** A failed read. It is retried automatically when the window regains focus. */
export function Trouble({ error }: { error: ApiError }) {
  return (
    <div className="empty" role="alert">
      <p className="empty-title">{error.status === 404 ? t('Not found.') : t('Could not be loaded.')}</p>
      <p className="soft">{error.message}</p>
    </div>
  )
}
