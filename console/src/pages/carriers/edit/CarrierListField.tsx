import { Button } from '../../../ui/Button.tsx'
import { ListField } from '../../../ui/ListField.tsx'
import { isSecret, rowsOf, type CarrierDraft, type Row } from './carrier-draft.ts'
import { CarrierValue } from './CarrierValue.tsx'
import type { CarrierList } from './carrier-fields.ts'

type Props = { list: CarrierList; draft: CarrierDraft; change: (part: Partial<CarrierDraft>) => void }

const NO_BASE = {}

/** Entries of a carrier such as the numbers of its phones. */
export function CarrierListField({ list, draft, change }: Props) {
  const { path, legend, hint, add, remove, most, columns } = list
  const rows = rowsOf(draft, path, columns)
  const name = `settings.${path}`
  function set(next: Row[]) {
    const { lists, secret } = draft
    if (columns.some(isSecret)) change({ secret: { ...secret, lists: { ...secret.lists, [path]: next } } })
    else change({ lists: { ...lists, [path]: next } })
  }
  return (
    <ListField
      name={name}
      legend={legend}
      hint={hint}
      entries={rows}
      keyOf={(_, n) => String(n)}
      onChange={set}
      remove={(_, n) => remove(n + 1)}
      has_fields
      add={
        rows.length < most && (
          <Button icon="plus" onClick={() => set([...rows, {}])}>
            {add}
          </Button>
        )
      }
    >
      {(row, n) => (
        <div className="fields">
          {columns.map((column) => (
            <CarrierValue
              key={column.path}
              field={column}
              name={column.path === '' ? `${name}[${n}]` : `${name}[${n}].${column.path}`}
              base={NO_BASE}
              stored={row[column.path] ?? ''}
              value={row[column.path] ?? ''}
              onChange={(text) => set(rows.with(n, { ...row, [column.path]: text }))}
            />
          ))}
        </div>
      )}
    </ListField>
  )
}
