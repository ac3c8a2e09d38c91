import { Fragment, useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Pages } from '../read.ts'
import { number, plural, t } from '../text/text.ts'
import { Button } from './Button.tsx'
import { Bar, Trouble } from './Empty.tsx'
import { useZone } from './date/zone.ts'
import { shortTime, Time } from './Time.tsx'

export type Column<T> = {
  title: string
  cell: (row: T) => ReactNode
  /** Numbers stand at the end of their column. */
  number?: boolean
  /** As wide as its content, no wider. */
  narrow?: boolean
  /** Takes the remaining width, on one line, truncated. */
  clip?: boolean
  /** Can be done without on a phone. */
  minor?: boolean
  /**
   * Where it stands on a phone, in a table whose entries have two lines there: what matters first and its state, then
   * the rest and when. Other columns are left out.
   */
  phone?: 'lead' | 'state' | 'rest' | 'when'
  /** How rows are sorted by it now, and what a click on its title does. */
  sorted?: { order: 'ascending' | 'descending' | 'none'; sort: () => void }
  /** What has no title to see, such as a column of buttons: the title is only read out. */
  unseen?: boolean
}

/** Of the column of buttons. */
export const ACTIONS = { title: t('Actions'), unseen: true, narrow: true } as const

/** When an entry was last changed. */
export const CHANGED: Column<{ changed_datetime?: string }> = {
  title: t('Changed'),
  narrow: true,
  minor: true,
  cell: ({ changed_datetime }) => (changed_datetime === undefined ? '–' : <Time at={changed_datetime} />),
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
  below,
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
  /** What is shown under a row that was expanded, over the whole width; undefined under others. */
  below?: (row: T) => ReactNode | undefined
}) {
  const wrap = useTight(rows)
  if (rows.length === 0) return empty
  const two_lines = columns.some(({ phone }) => phone !== undefined)
  return (
    <div className="table-wrap" ref={wrap}>
      <table className={two_lines ? 'table two-lines' : 'table'} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, unseen, sorted, ...form }) => (
              <th key={title} role="columnheader" scope="col" className={classes(form)} aria-sort={sorted?.order}>
                {sorted ? (
                  <button type="button" className="sort" onClick={sorted.sort}>
                    {title}
                  </button>
                ) : (
                  <Title title={title} unseen={unseen} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <Fragment key={rowKey(row)}>
              <tr
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
              <Below columns={columns.length}>{below?.(row)}</Below>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Cells wrap between words; if that is not enough, also within them. */
const STEPS = ['tight', 'tightest']

/** Marks a table that is wider than its place, so that no column is cut off. */
function useTight(rows: readonly unknown[]) {
  const wrap = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = wrap.current
    if (!box) return
    const measure = () => {
      box.classList.remove(...STEPS)
      for (const step of STEPS) if (box.scrollWidth > box.clientWidth) box.classList.add(step)
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [rows])
  return wrap
}

function Below({ columns, children }: { columns: number; children: ReactNode | undefined }) {
  if (children === undefined) return null
  return (
    <tr role="row" className="below">
      <td role="cell" colSpan={columns}>
        {children}
      </td>
    </tr>
  )
}

const WAITING_ROWS = [1, 2, 3, 4, 5, 6]

/** The head of a table, and rows to come. */
function LoadingTable<T>({ columns }: { columns: readonly Column<T>[] }) {
  return (
    <div className="loading loading-table" role="status">
      <span className="unseen">{t('Loading…')}</span>
      <table className="table" aria-hidden="true">
        <thead>
          <tr>
            {columns.map(({ title, unseen, ...form }) => (
              <th key={title} className={classes(form)}>
                {unseen ? '' : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WAITING_ROWS.map((row) => (
            <tr key={row}>
              {columns.map(({ title, cell: _none_yet, unseen: _no_words, ...form }) => (
                <td key={title} className={classes(form)}>
                  <Bar />
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
  const zone = useZone()
  if (pages.loading) return <LoadingTable columns={table.columns} />
  if (pages.error && pages.rows.length === 0) return <Trouble error={pages.error} />
  return (
    <div className={pages.stale ? 'stale' : undefined} aria-busy={pages.stale}>
      <Table {...table} rows={pages.rows} />
      {(pages.rows.length > 0 || pages.more) && (
        <p className="table-foot soft small">
          <span>{countSentence(pages, zone)}</span>
          {pages.more && (
            <Button onClick={pages.more} busy={pages.loading_more}>
              {t('Show more')}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

const MOST_COUNTED = 100_000

function countSentence({ rows, count_total, searched_until, more }: Pages<unknown>, zone: string): string {
  const n = number(rows.length)
  if (searched_until !== undefined) {
    const time = shortTime(new Date(searched_until), zone)
    return plural(rows.length, '{n} found, looking back to {time}||one', '{n} found, looking back to {time}', { time })
  }
  if (count_total === undefined) return more ? t('The newest {n}', { n }) : t('{n} in total', { n })
  if (count_total <= rows.length) return t('{n} in total', { n })
  const total = number(count_total)
  return count_total >= MOST_COUNTED ? t('{n} of more than {total}', { n, total }) : t('{n} of {total}', { n, total })
}

function Title({ title, unseen }: { title: string; unseen: boolean | undefined }) {
  return unseen ? <span className="unseen">{title}</span> : title
}

const FORMS = ['number', 'narrow', 'clip', 'minor'] as const

function classes(form: Pick<Column<never>, (typeof FORMS)[number] | 'phone'>): string | undefined {
  const names: string[] = FORMS.filter((name) => form[name])
  if (form.phone) names.push(`phone-${form.phone}`)
  return names.join(' ') || undefined
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, select, textarea, label, summary') !== null
}
