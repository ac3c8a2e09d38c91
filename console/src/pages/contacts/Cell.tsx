import { useQueryClient } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { useSay } from '../../ui/Toast.tsx'
import { ROWS, type Column, type ContactRow } from './contacts.ts'

type Props = {
  row: ContactRow
  column: Column
  at: string
  reachable: boolean
  onMove: (down: number, right: number) => void
  onReach: () => void
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** One cell: shown, or being edited. What the service refuses stays in the cell with the reason under it. */
export function Cell({ row, column, at, reachable, onMove, onReach }: Props) {
  const [draft, setDraft] = useState<string>()
  const save = useSave(row, column)
  const value = row.columns[column.id] ?? ''
  function keep(then?: () => void) {
    if (draft === undefined || draft === value) {
      setDraft(undefined)
      then?.()
      return
    }
    save.mutate(draft, {
      onSuccess: () => {
        setDraft(undefined)
        then?.()
      },
    })
  }
  function press(event: KeyboardEvent) {
    const arrow = ARROWS[event.key]
    if (arrow) onMove(...arrow)
    else if (event.key === 'Enter' || event.key === 'F2') setDraft(value)
    else if (event.key === 'Delete' || event.key === 'Backspace') save.mutate('')
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) setDraft(event.key)
    else return
    event.preventDefault()
  }
  if (draft === undefined) {
    return (
      <div
        role="gridcell"
        data-at={at}
        tabIndex={reachable ? 0 : -1}
        className="sheet-cell"
        onKeyDown={press}
        onFocus={onReach}
        onClick={() => setDraft(value)}
      >
        {value}
      </div>
    )
  }
  const fault = save.error?.faults[0]?.message ?? save.error?.message
  return (
    <div role="gridcell" className="sheet-cell editing">
      <Editor
        column={column}
        draft={draft}
        fault={fault}
        onChange={(changed) => {
          save.reset()
          setDraft(changed)
        }}
        onKeep={() => keep()}
        onKeepAndMove={() => keep(() => onMove(1, 0))}
        onGiveUp={() => {
          save.reset()
          setDraft(undefined)
          onMove(0, 0)
        }}
      />
      {fault !== undefined && (
        <p className="sheet-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

type EditorProps = {
  column: Column
  draft: string
  fault: string | undefined
  onChange: (draft: string) => void
  onKeep: () => void
  onKeepAndMove: () => void
  onGiveUp: () => void
}

function Editor({ column, draft, fault, onChange, onKeep, onKeepAndMove, onGiveUp }: EditorProps) {
  const control = {
    'aria-label': column.name,
    'aria-invalid': fault !== undefined || undefined,
    autoFocus: true,
    value: draft,
    onBlur: onKeep,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') onKeepAndMove()
      else if (event.key === 'Escape') onGiveUp()
      else return
      event.preventDefault()
    },
  }
  if (column.type === 'SELECT') {
    return (
      <select {...control} onChange={(event) => onChange(event.target.value)}>
        <option value="">–</option>
        {(column.options ?? []).map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  }
  return <input {...control} type="text" onChange={(event) => onChange(event.target.value)} />
}

type Kept = { pages: { rows: ContactRow[] }[] }

/** Writes one cell, and puts the answer into the sheet without reading all of it again. */
function useSave(row: ContactRow, column: Column) {
  const client = useQueryClient()
  const { organisation } = useSession()
  const say = useSay()
  return useWrite(async (value: string) => {
    const answer = await call('PATCH', `${ROWS}/${row.id}`, { columns: { [column.id]: value } })
    client.setQueriesData<Kept>(
      { queryKey: [organisation.id, ROWS] },
      (kept) =>
        kept && {
          ...kept,
          pages: kept.pages.map((page) => ({
            ...page,
            rows: page.rows.map((each) => (each.id === row.id ? answer.row : each)),
          })),
        },
    )
    if (value === '') say(`${column.name} is cleared.`)
    return answer
  })
}
