import { useRef, useState, type KeyboardEvent } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Select } from '../../ui/select/Select.tsx'
import { ROWS, type Column, type ContactRow } from './contacts.ts'
import { useTakeRow } from './rows.ts'

type Props = {
  row: ContactRow
  column: Column
  /** What it begins with: what the cell says, or the key that was pressed. */
  first: string
  /** The cell is as it should be; `moved` is where to go from here. */
  onEnd: (moved: 'down' | 'stay' | 'nowhere') => void
  /** It was written, and said this before. */
  onWritten: (before: string) => void
}

/** A cell that is being edited. What the service refuses stays in the cell with the reason under it. */
export function EditCell({ row, column, first, onEnd, onWritten }: Props) {
  const [draft, setDraft] = useState(first)
  const save = useSaveCell()
  // A cell that is taken away loses the focus, which is no wish to keep what is in it.
  const over = useRef(false)
  const value = row.columns[column.id] ?? ''
  function end(moved: 'down' | 'stay' | 'nowhere') {
    over.current = true
    onEnd(moved)
  }
  function keep(moved: 'down' | 'nowhere') {
    if (over.current || save.isPending) return
    if (draft === value) return end(moved)
    save.mutate(
      { row_id: row.id, column_id: column.id, value: draft },
      {
        onSuccess: () => {
          onWritten(value)
          end(moved)
        },
      },
    )
  }
  const fault = save.error?.faults[0]?.message ?? save.error?.message
  const control = {
    'aria-invalid': fault !== undefined || undefined,
    autoFocus: true,
    value: draft,
    onBlur: () => keep('nowhere'),
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation()
      if (event.key === 'Enter') keep('down')
      else if (event.key === 'Escape') end('stay')
      else return
      event.preventDefault()
    },
  }
  function change(changed: string) {
    save.reset()
    setDraft(changed)
  }
  return (
    <div role="gridcell" className={column.type === 'NUMBER' ? 'sheet-cell editing number' : 'sheet-cell editing'}>
      {column.type === 'SELECT' ? (
        <Select
          {...control}
          label={column.name}
          onChange={change}
          choices={['', ...(column.options ?? [])].map((option) => ({ value: option, label: option || '–' }))}
        />
      ) : (
        <input {...control} aria-label={column.name} type="text" onChange={(event) => change(event.target.value)} />
      )}
      {fault !== undefined && (
        <p className="sheet-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

/** Writes one cell, and puts the answer into the sheet without reading all of it again. */
export function useSaveCell() {
  const take = useTakeRow()
  return useWrite(async ({ row_id, column_id, value }: { row_id: string; column_id: string; value: string }) => {
    const answer = await call('PATCH', `${ROWS}/${row_id}`, { columns: { [column_id]: value } })
    take(answer.row)
    return answer
  })
}
