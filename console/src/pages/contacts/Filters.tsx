import { Button, IconButton } from '../../ui/Button.tsx'
import { isBare, OPERATORS, type Column, type Filter } from './contacts.ts'

type Props = { columns: readonly Column[]; filters: readonly Filter[]; onChange: (filters: readonly Filter[]) => void }

/** All of them must hold. */
export function Filters({ columns, filters, onChange }: Props) {
  const first = columns[0]
  function change(index: number, part: Partial<Filter>) {
    onChange(filters.map((filter, each) => (each === index ? { ...filter, ...part } : filter)))
  }
  return (
    <div className="contacts-filters" role="search">
      {filters.map((filter, index) => {
        const column = columns.find(({ id }) => id === filter.column_id)
        return (
          // Filters have no name of their own, and only the last is ever added.
          // oxlint-disable-next-line no-array-index-key
          <div className="contacts-filter" key={index}>
            <select
              aria-label="Column"
              value={filter.column_id}
              onChange={(event) => change(index, { column_id: event.target.value, operator: 'contain' })}
            >
              {columns.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            <select
              aria-label="How"
              value={filter.operator}
              onChange={(event) => change(index, { operator: event.target.value })}
            >
              {OPERATORS.filter(({ only }) => only === undefined || only === column?.type).map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            {!isBare(filter.operator) && (
              <input
                aria-label="Value"
                data-search
                type="text"
                value={filter.value}
                onChange={(event) => change(index, { value: event.target.value })}
              />
            )}
            <IconButton
              label="Take this filter away"
              icon="close"
              onClick={() => onChange(filters.filter((_, each) => each !== index))}
            />
          </div>
        )
      })}
      {first && (
        <Button
          icon="plus"
          onClick={() => onChange([...filters, { column_id: first.id, operator: 'contain', value: '' }])}
        >
          Filter
        </Button>
      )}
    </div>
  )
}
