import type { ReactNode } from 'react'
import type { ApiError } from '../api.ts'

/** Nothing here yet: a sentence why, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <div className="soft">{children}</div>}
    </div>
  )
}

/** For the moment between asking and answer; quick answers never show it. */
export function Loading({ what = 'Reading …' }: { what?: string }) {
  return (
    <p className="loading soft" role="status">
      {what}
    </p>
  )
}

/** A read that failed. It is tried again by itself as soon as the window is looked at. */
export function Trouble({ error }: { error: ApiError }) {
  return (
    <div className="empty" role="alert">
      <p className="empty-title">{error.status === 404 ? 'There is no such thing here.' : 'This could not be read.'}</p>
      <p className="soft">{error.message}</p>
    </div>
  )
}
