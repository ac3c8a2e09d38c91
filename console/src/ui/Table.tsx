import type { ReactNode } from 'react'
import type { Pages } from '../read.ts'
import { Button } from './Button.tsx'
import { Loading, Trouble } from './Empty.tsx'
import { shortTime } from './Time.tsx'

export type Column<T> = {
  title: string
  cell: (row: T) => ReactNode
  /** Numbers stand at the end of their column. */
  number?: boolean
  /** As wide as its content, no wider. */
  narrow?: boolean
  /** Takes the room that is left, in one line, cut where it ends. */
  clip?: boolean
  /** Can be done without on a phone. */
  minor?: boolean
  /** What has no title to see, such as a column of buttons: the title is only read out. */
  unseen?: boolean
}

/** Rows and columns. On a phone each row becomes a small card, with the titles beside the values. */
export function Table<T>({
  label,
  columns,
  rows,
  rowKey,
  empty,
  selected,
  onRow,
}: {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
  /** Shown instead of an empty table: an `<Empty>` with a sentence and what to do. */
  empty: ReactNode
  selected?: string | undefined
  /** A click anywhere on the row. A link in one of the cells must lead to the same place, for the keyboard. */
  onRow?: (row: T) => void
}) {
  if (rows.length === 0) return empty
  return (
    <div className="table-wrap">
      <table className="table" role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, unseen, ...form }) => (
              <th key={title} role="columnheader" scope="col" className={classes(form)}>
                {unseen ? <span className="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={onRow ? 'clickable' : undefined}
              aria-selected={selected === undefined ? undefined : selected === rowKey(row)}
              onClick={onRow && ((event) => !isControl(event.target) && onRow(row))}
            >
              {columns.map(({ title, cell, unseen, ...form }) => (
                <td key={title} role="cell" data-title={unseen ? '' : title} className={classes(form)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A table of what `usePages` reads, with its waiting, its fault and the button for more. */
export function PagedTable<T>({ pages, ...table }: Omit<Parameters<typeof Table<T>>[0], 'rows'> & { pages: Pages<T> }) {
  if (pages.loading) return <Loading />
  if (pages.error && pages.rows.length === 0) return <Trouble error={pages.error} />
  return (
    <>
      <Table {...table} rows={pages.rows} />
      {(pages.rows.length > 0 || pages.more) && (
        <p className="table-foot soft small">
          <span>{countSentence(pages)}</span>
          {pages.more && (
            <Button onClick={pages.more} busy={pages.loading_more}>
              Show more
            </Button>
          )}
        </p>
      )}
    </>
  )
}

const MOST_COUNTED = 100_000

function countSentence({ rows, count_total, searched_until, more }: Pages<unknown>): string {
  const shown = rows.length.toLocaleString('en')
  if (searched_until !== undefined) return `${shown} found, looking back to ${shortTime(new Date(searched_until))}`
  if (count_total === undefined) return more ? `The newest ${shown}` : `${shown} in all`
  if (count_total <= rows.length) return `${shown} in all`
  return `${shown} of ${count_total >= MOST_COUNTED ? 'more than ' : ''}${count_total.toLocaleString('en')}`
}

const FORMS = ['number', 'narrow', 'clip', 'minor'] as const

function classes(form: Pick<Column<never>, (typeof FORMS)[number]>): string | undefined {
  return FORMS.filter((name) => form[name]).join(' ') || undefined
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, select, textarea, label') !== null
}
