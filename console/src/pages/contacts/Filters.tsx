import { useState } from 'react'
import { t } from '../../text/text.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { DateFilter } from '../../ui/date/DateField.tsx'
import { typedAmount } from '../../ui/Money.tsx'
import { Select } from '../../ui/select/Select.tsx'
import {
  DAY,
  firstOperator,
  isBare,
  newFilter,
  operatorsOf,
  takesList,
  type Column,
  type Filter,
  type Group,
} from './contacts.ts'
import { verbOf } from './words.ts'

type Props = { columns: readonly Column[]; groups: readonly Group[]; onChange: (groups: readonly Group[]) => void }

/** All groups must hold, and of each group one filter. */
export function Filters({ columns, groups, onChange }: Props) {
  const [first] = columns
  if (!first) return null
  function change(index: number, group: Group) {
    onChange(group.length === 0 ? groups.toSpliced(index, 1) : groups.with(index, group))
  }
  return (
    <div className="contacts-filters" role="search">
      {groups.map((group, index) => (
        <div className={group.length > 1 ? 'contacts-group' : 'contacts-alone'} key={group[0]?.place}>
          {group.map((filter, n) => (
            <div className="contacts-filter" key={filter.place}>
              {n > 0 && <span className="soft small">{t('or')}</span>}
              <OneFilter
                columns={columns}
                filter={filter}
                onChange={(part) => change(index, group.with(n, { ...filter, ...part }))}
                onRemove={() => change(index, group.toSpliced(n, 1))}
              />
            </div>
          ))}
          <Button
            look="bare"
            onClick={() => {
              const added = newFilter(first, groups)
              change(index, [...group, { ...added, ...group.at(-1), value: '', place: added.place }])
            }}
          >
            {t('Or…')}
          </Button>
        </div>
      ))}
      <Button icon="plus" onClick={() => onChange([...groups, [newFilter(first, groups)]])}>
        {t('Filter')}
      </Button>
    </div>
  )
}

type OneProps = {
  columns: readonly Column[]
  filter: Filter
  onChange: (part: Partial<Filter>) => void
  onRemove: () => void
}

function OneFilter({ columns, filter, onChange, onRemove }: OneProps) {
  const column = columns.find(({ id }) => id === filter.column_id)
  function choose(id: string) {
    const chosen = columns.find((each) => each.id === id)
    if (!chosen) return
    const fits = operatorsOf(chosen.type).some(({ value }) => value === filter.operator)
    onChange({ column_id: id, ...(fits ? {} : { operator: firstOperator(chosen.type) }) })
  }
  return (
    <>
      <Select
        label={t('Column')}
        value={filter.column_id}
        onChange={choose}
        choices={columns.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Select
        label={t('Condition||of a filter')}
        value={filter.operator}
        onChange={(operator) => onChange({ operator })}
        choices={operatorsOf(column?.type).map(({ value }) => ({ value, label: verbOf(value) }))}
      />
      {!isBare(filter.operator) && (
        <ValueField
          type={takesList(filter.operator) ? 'TEXT' : column?.type}
          value={filter.value}
          onChange={(value) => onChange({ value })}
        />
      )}
      <IconButton label={t('Remove this filter')} icon="close" onClick={onRemove} />
    </>
  )
}

type ValueProps = { value: string; onChange: (value: string) => void }

/** A day is picked; a number is typed as the language writes it; anything else is a text. */
function ValueField({ type, ...shared }: ValueProps & { type: string | undefined }) {
  if (type === 'DATE' && DAY.test(shared.value)) return <DateFilter kind="day" label={t('Value')} {...shared} />
  if (type === 'NUMBER') return <NumberField {...shared} />
  const { value, onChange } = shared
  return <input aria-label={t('Value')} type="text" value={value} onChange={(event) => onChange(event.target.value)} />
}

function NumberField({ value, onChange }: ValueProps) {
  const [typed, setTyped] = useState(value)
  return (
    <input
      aria-label={t('Value')}
      type="text"
      inputMode="decimal"
      value={plainNumber(typed) === value ? typed : value}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(plainNumber(event.target.value))
      }}
    />
  )
}

/** `50,000` as the service takes it; what is no number goes out as it was typed. */
function plainNumber(typed: string): string {
  return typed.trim() === '' ? '' : String(typedAmount(typed))
}
