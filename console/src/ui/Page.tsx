import { useEffect, type ReactNode } from 'react'

/** The frame of a page: its one heading, a sentence what it is for, and what can be done on it. */
export function Page({
  title,
  lead,
  actions,
  children,
  wide = false,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** For tables that want the whole window. */
  wide?: boolean
}) {
  useEffect(() => {
    document.title = `${title} · Gangan`
  }, [title])
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <header className="page-head">
        <div className="grow">
          <h1>{title}</h1>
          {lead && <p className="soft lead">{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A panel with a heading of its own. */
export function Section({
  title,
  lead,
  actions,
  children,
  flush = false,
}: {
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Without padding, for a table that reaches from edge to edge. */
  flush?: boolean
}) {
  return (
    <section className={flush ? 'panel flush' : 'panel'}>
      {(title || actions) && (
        <header className="panel-head">
          <div className="grow">
            {title && <h2>{title}</h2>}
            {lead && <p className="soft small">{lead}</p>}
          </div>
          {actions && <div className="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
