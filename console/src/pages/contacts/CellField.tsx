import { t } from '../../text/text.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import type { Column } from './contacts.ts'

const INPUTS: Record<string, string> = { 'PHONE NUMBER': 'tel', EMAIL: 'email', URL: 'url' }

const DAY = /^(\d{4}-\d\d-\d\d)?$/

/** A date cell may say a time, too, which a browser's own field for dates would not show. */
function inputOf(type: string, value: string): string {
  return type === 'DATE' && DAY.test(value) ? 'date' : (INPUTS[type] ?? 'text')
}

/** A cell in a form. What it says and is no option any more can be kept. */
export function CellField({
  column: { id, name, type, options },
  value,
  onChange,
}: {
  column: Column
  value: string
  onChange: (value: string) => void
}) {
  // A refused cell is named as it was given.
  const shared = { name: `columns.${id}`, label: name, value, onChange }
  if (type === 'SELECT') {
    const choices = [...new Set(['', ...(options ?? []), value])].map((choice) => ({
      value: choice,
      label: choice || '–',
    }))
    return <SelectField {...shared} choices={choices} />
  }
  const hint =
    type === 'MULTI SELECT'
      ? t('Any of {options}, separated by commas.', { options: options?.join(', ') ?? '' })
      : undefined
  return <TextField {...shared} type={inputOf(type, value)} hint={hint} />
}
