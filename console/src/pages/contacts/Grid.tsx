import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { go } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { useSay } from '../../ui/Toast.tsx'
import { useSaveCell } from './Cell.tsx'
import type { Column, ContactRow } from './contacts.ts'
import { Head } from './Head.tsx'
import { Row, type RowActions, type RowProps } from './Row.tsx'
import type { Rows } from './rows.ts'
import { choose, EVERYTHING, isChosen, NOTHING, type Selection } from './selection.ts'
import { shownColumns, templateOf, type Viewed } from './view.ts'
import { counted } from './words.ts'

const ROW_PX = 38
/** The next rows are asked for this many before the last is seen. */
const AHEAD = 100
/** Rows rendered outside the viewport on either side; each costs time in every frame. */
const OVERSCAN = 4

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
 * Only the rows in sight are drawn. The arrow keys move from cell to cell, Enter edits, Esc gives up, the space bar
 * chooses the row, Enter with Ctrl opens it: one cell at a time can be reached with Tab, as in a spreadsheet.
 */
export function Grid(props: Props) {
  const { rows: found, sort, onSort, view, may_change, selection, onSelect, onWritten, onRemove } = props
  const { rows, count_total, more } = found
  const say = useSay()
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useMemo(() => shownColumns(props.columns, view), [props.columns, view])
  const template = templateOf(columns, view, may_change)
  const [at, setAt] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState<{ row: number; column: number; first: string }>()
  const clear = useSaveCell()
  const last_chosen = useRef(0)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && last >= rows.length - AHEAD) more()
  }, [more, last, rows.length])

  const move = useCallback(
    (row: number, column: number) => {
      const next = {
        row: Math.min(Math.max(row, 0), rows.length - 1),
        column: Math.min(Math.max(column, 0), columns.length - 1),
      }
      setAt(next)
      virtual.scrollToIndex(next.row)
      requestAnimationFrame(() => {
        scroller.current?.querySelector<HTMLElement>(`[data-at="${next.row} ${next.column}"]`)?.focus()
      })
    },
    [rows.length, columns.length, virtual],
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

  const valueAt = (row: number, column: number): string => rows[row]?.columns[columns[column]?.id ?? ''] ?? ''
  function edit(row: number, column: number, first = valueAt(row, column)) {
    if (may_change) setEditing({ row, column, first })
  }
  /** With shift, all rows from the one that was chosen before. */
  function pick(index: number, ranged: boolean) {
    const [from, to] = ranged ? [last_chosen.current, index].toSorted((a, b) => a - b) : [index, index]
    const ids = rows.slice(from, (to ?? index) + 1).map(({ id }) => id)
    const chosen = !isChosen(selection, rows[index]?.id ?? '')
    last_chosen.current = index
    const next = choose(selection, ids, chosen)
    if (next) onSelect(next)
    else say(t('Too many to select individually. Select all that match, and narrow the search.'), 'bad')
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
    if (arrow) move(row + arrow[0], column + arrow[1])
    else if (event.key === 'Enter' && event.ctrlKey) go(`/contacts/${rows[row]?.id ?? ''}`)
    else if (event.key === 'Enter' || event.key === 'F2') edit(row, column)
    else if (event.key === ' ' && may_change) pick(row, event.shiftKey)
    else if (event.key === 'Delete' || event.key === 'Backspace') empty(row, column)
    else if (event.key.length === 1 && plain) edit(row, column, event.key)
    else return
    event.preventDefault()
  }
  function empty(row: number, column: number) {
    const there = rows[row]
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
        aria-rowcount={count_total ?? rows.length}
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
        <div className="sheet-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row: ContactRow | undefined = rows[index]
            if (!row) return null
            return (
              <Placed
                key={row.id}
                start={start}
                template={template}
                row={row}
                index={index}
                columns={columns}
                chosen={may_change ? isChosen(selection, row.id) : undefined}
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
        {counted(count_total ?? rows.length)}
      </p>
    </>
  )
}

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
