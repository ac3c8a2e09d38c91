import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { t } from '../../text/text.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Column } from './contacts.ts'
import { NARROWEST_PX, WIDEST_PX, type Viewed } from './view.ts'

type Props = {
  columns: readonly Column[]
  template: string
  sort: string
  onSort: (sort: string) => void
  view: Viewed
  /** Whether all, some or none are chosen; undefined where rows cannot be. */
  chosen: 'all' | 'some' | 'none' | undefined
  onChooseAll: () => void
}

export function Head({ columns, template, sort, onSort, view, chosen, onChooseAll }: Props) {
  return (
    <div className="sheet-head" role="row" style={{ gridTemplateColumns: template }}>
      {chosen !== undefined && (
        <div role="columnheader" className="sheet-box">
          <input
            type="checkbox"
            aria-label={t('Select all that match')}
            checked={chosen === 'all'}
            ref={(box) => {
              if (box) box.indeterminate = chosen === 'some'
            }}
            onChange={onChooseAll}
          />
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.id}
          role="columnheader"
          aria-sort={sortOf(sort, column.id)}
          className={column.type === 'NUMBER' ? 'number' : undefined}
        >
          <button
            type="button"
            onClick={() => onSort(nextSort(sort, column.id))}
            title={t('Sort by {column}', { column: column.name })}
          >
            <span className="sheet-title">{column.name}</span>
            {sort.endsWith(column.id) && (
              <span className={sort.startsWith('-') ? 'sheet-down' : 'sheet-up'}>
                <Icon name="down" />
              </span>
            )}
          </button>
          <Edge column={column} view={view} />
        </div>
      ))}
      <div role="columnheader">
        <span className="unseen">{t('Open, delete')}</span>
      </div>
    </div>
  )
}

const STEP_PX = 20

/** The edge by which a column is made wider: with the mouse, a finger or the arrow keys; a double click lets it go. */
function Edge({ column, view }: { column: Column; view: Viewed }) {
  const [from, setFrom] = useState<{ x: number; width: number }>()
  const known = view.widths[column.id]
  function widthOf(edge: Element): number {
    return Math.round(edge.parentElement?.getBoundingClientRect().width ?? NARROWEST_PX)
  }
  function press(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? STEP_PX : event.key === 'ArrowLeft' ? -STEP_PX : 0
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    view.resize(column.id, widthOf(event.currentTarget) + step)
  }
  function drag(event: PointerEvent) {
    if (from) view.resize(column.id, from.width + event.clientX - from.x)
  }
  return (
    <div
      className="sheet-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of {column}', { column: column.name })}
      aria-valuemin={NARROWEST_PX}
      aria-valuemax={WIDEST_PX}
      aria-valuenow={known ?? 150}
      tabIndex={0}
      onKeyDown={press}
      onDoubleClick={() => view.resize(column.id, undefined)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setFrom({ x: event.clientX, width: widthOf(event.currentTarget) })
      }}
      onPointerMove={drag}
      onPointerUp={() => setFrom(undefined)}
      onPointerCancel={() => setFrom(undefined)}
    />
  )
}

function sortOf(sort: string, id: string): 'ascending' | 'descending' | 'none' {
  if (!sort.endsWith(id)) return 'none'
  return sort.startsWith('-') ? 'descending' : 'ascending'
}

/** Upwards, downwards, not at all. */
function nextSort(sort: string, id: string): string {
  if (sort === id) return `-${id}`
  return sort === `-${id}` ? '' : id
}
