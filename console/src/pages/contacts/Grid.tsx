import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { go } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { useZone } from '../../ui/date/zone.ts'
import { shortTime } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { useSaveCell } from './Cell.tsx'
import type { Column } from './contacts.ts'
import { Head } from './Head.tsx'
import { useRowWindow } from './row-window.ts'
import { Row, type RowActions, type RowProps } from './Row.tsx'
import type { Rows } from './rows.ts'
import { choose, EVERYTHING, isChosen, MOST_IDS, NOTHING, type Selection } from './selection.ts'
import { shownColumns, templateOf, type Viewed } from './view.ts'
import { counted } from './words.ts'

/** How long rows must be in view before they are read, so that dragging the scrollbar does not read all that it passes. */
const SEEN_MS = 80

type Props = {
  columns: readonly Column[]
  rows: Rows
  sort: string
  onSort: (sort: string) => void
  view: Viewed
  may_change: boolean
  selection: Selection
  onSelect: (selection: Selection) => void
  onWritten: RowActions['onWritten']
  onRemove: RowActions['onRemove']
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/**
 * Only the rows in sight are drawn. The arrow keys, Page Up, Page Down, Home and End move from cell to cell, with Ctrl to
 * the first and last row; Enter edits, Esc gives up, the space bar chooses the row, Enter with Ctrl opens it: one cell at
 * a time can be reached with Tab, as in a spreadsheet.
 */
export function Grid(props: Props) {
  const { rows: found, sort, onSort, view, may_change, selection, onSelect, onWritten, onRemove } = props
  const { count, rowAt, show } = found
  const say = useSay()
  const zone = useZone()
  const columns = useMemo(() => shownColumns(props.columns, view), [props.columns, view])
  const template = templateOf(columns, view, may_change)
  const [at, setAt] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState<{ row: number; column: number; first: string }>()
  const clear = useSaveCell()
  const last_chosen = useRef(0)
  const { scroller, first, end, height, in_view, topOf, show: bringIntoView } = useRowWindow(count)
  useEffect(() => {
    const seen = setTimeout(() => show(first, end), SEEN_MS)
    return () => clearTimeout(seen)
  }, [show, first, end])
  // Another list begins at its top.
  const list = useRef(found.asked)
  useEffect(() => {
    if (list.current === found.asked) return
    list.current = found.asked
    setEditing(undefined)
    setAt({ row: 0, column: 0 })
    bringIntoView(0)
  }, [found.asked, bringIntoView])

  const move = useCallback(
    (row: number, column: number) => {
      const next = {
        row: Math.min(Math.max(row, 0), count - 1),
        column: Math.min(Math.max(column, 0), columns.length - 1),
      }
      setAt(next)
      bringIntoView(next.row)
      requestAnimationFrame(() => {
        scroller.current
          ?.querySelector<HTMLElement>(`[data-at="${next.row} ${next.column}"]`)
          ?.focus({ preventScroll: true })
      })
    },
    [count, columns.length, scroller, bringIntoView],
  )
  const actions = useMemo<RowActions>(
    () => ({
      onEnd: (row, column, moved) => {
        setEditing(undefined)
        if (moved !== 'nowhere') move(moved === 'down' ? row + 1 : row, column)
      },
      onWritten,
      onRemove,
    }),
    [move, onWritten, onRemove],
  )

  const valueAt = (row: number, column: number): string => rowAt(row)?.columns[columns[column]?.id ?? ''] ?? ''
  function edit(row: number, column: number, text = valueAt(row, column)) {
    if (may_change && rowAt(row)) setEditing({ row, column, first: text })
  }
  function pick(index: number, ranged: boolean) {
    const row = rowAt(index)
    if (!row) return
    const chosen = !isChosen(selection, row.id)
    const from = last_chosen.current
    last_chosen.current = index
    if (ranged) void pickRange(Math.min(from, index), Math.max(from, index), chosen)
    else select([row.id], chosen)
  }
  /** From the row that was chosen before to this one, also where the rows between were never in view. */
  async function pickRange(from: number, to: number, chosen: boolean) {
    if (to - from >= MOST_IDS) return say(TOO_MANY, 'bad')
    try {
      const between = await found.between(from, to)
      select(
        between.map(({ id }) => id),
        chosen,
      )
    } catch {
      say(t('Some rows could not be loaded.'), 'bad')
    }
  }
  function select(ids: readonly string[], chosen: boolean) {
    const next = choose(selection, ids, chosen)
    if (next) onSelect(next)
    else say(TOO_MANY, 'bad')
  }
  function click(event: MouseEvent) {
    if (!(event.target instanceof HTMLElement)) return
    const box = event.target.dataset.row
    if (box !== undefined) return pick(Number(box), event.shiftKey)
    const place = placeOf(event.target)
    if (place) edit(...place)
  }
  function press(event: KeyboardEvent) {
    const place = placeOf(event.target)
    if (!place) return
    const [row, column] = place
    const arrow = ARROWS[event.key]
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    const far = event.ctrlKey || event.metaKey
    if (arrow) move(row + arrow[0], column + arrow[1])
    else if (event.key === 'PageDown') move(row + in_view, column)
    else if (event.key === 'PageUp') move(row - in_view, column)
    else if (event.key === 'Home') move(far ? 0 : row, 0)
    else if (event.key === 'End') move(far ? count - 1 : row, columns.length - 1)
    else if (event.key === 'Enter' && event.ctrlKey) go(`/contacts/${rowAt(row)?.id ?? ''}`)
    else if (event.key === 'Enter' || event.key === 'F2') edit(row, column)
    else if (event.key === ' ' && may_change) pick(row, event.shiftKey)
    else if (event.key === 'Delete' || event.key === 'Backspace') empty(row, column)
    else if (event.key.length === 1 && plain) edit(row, column, event.key)
    else return
    event.preventDefault()
  }
  function empty(row: number, column: number) {
    const there = rowAt(row)
    const of = columns[column]
    const before = valueAt(row, column)
    if (!may_change || !there || !of || before === '') return
    clear.mutate(
      { row_id: there.id, column_id: of.id, value: '' },
      { onSuccess: () => onWritten(there.id, of, before), onError: (fault) => say(fault.message, 'bad') },
    )
  }
  const chosen = selection.all ? (selection.ids.size === 0 ? 'all' : 'some') : selection.ids.size > 0 ? 'some' : 'none'
  return (
    <>
      <div
        className={found.stale ? 'sheet stale' : 'sheet'}
        ref={scroller}
        role="grid"
        aria-label={t('Contacts')}
        aria-rowcount={count}
        aria-colcount={columns.length + 2}
        aria-multiselectable={may_change}
        aria-busy={found.stale}
        tabIndex={-1}
        onClick={click}
        onKeyDown={press}
        onFocus={({ target }) => {
          const place = placeOf(target)
          if (place && (place[0] !== at.row || place[1] !== at.column)) setAt({ row: place[0], column: place[1] })
        }}
      >
        <Head
          columns={columns}
          template={template}
          sort={sort}
          onSort={onSort}
          view={view}
          chosen={may_change ? chosen : undefined}
          onChooseAll={() => onSelect(chosen === 'none' ? EVERYTHING : NOTHING)}
        />
        <div className="sheet-body" role="rowgroup" style={{ height: height }}>
          {Array.from({ length: end - first }, (_, n) => first + n).map((index) => {
            const row = rowAt(index)
            return (
              <Placed
                key={index}
                start={topOf(index)}
                template={template}
                row={row}
                index={index}
                columns={columns}
                chosen={may_change ? row !== undefined && isChosen(selection, row.id) : undefined}
                reachable={at.row === index ? at.column : undefined}
                editing={editing?.row === index ? editing : undefined}
                may_change={may_change}
                actions={actions}
              />
            )
          })}
        </div>
      </div>
      <p className="table-foot soft small" role="status">
        {found.counted_ms === undefined
          ? counted(count)
          : t('{n} contacts as of {time}', {
              n: number(count),
              time: shortTime(new Date(found.counted_ms), zone, false),
            })}
        {found.error && (
          <>
            <span className="grow">{t('Some rows could not be loaded.')}</span>
            <Button onClick={found.retry}>{t('Try again')}</Button>
          </>
        )}
      </p>
    </>
  )
}

const TOO_MANY = t('Too many to select individually. Select all that match, and narrow the search.')

type PlacedProps = Omit<RowProps, 'style'> & { start: number; template: string }

/** The same style object as long as a row stays where it is: else it would be drawn again with every step of a scroll. */
function Placed({ start, template, ...rest }: PlacedProps) {
  const style = useMemo(
    () => ({ gridTemplateColumns: template, transform: `translateY(${start}px)` }),
    [start, template],
  )
  return <Row {...rest} style={style} />
}

function placeOf(target: EventTarget): [row: number, column: number] | undefined {
  const text = target instanceof HTMLElement ? target.dataset.at : undefined
  if (text === undefined) return undefined
  const [row = 0, column = 0] = text.split(' ').map(Number)
  return [row, column]
}
