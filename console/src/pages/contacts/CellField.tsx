import { t } from '../../text/text.ts'
import { DateField } from '../../ui/date/DateField.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { DAY, type Column } from './contacts.ts'

const INPUTS: Record<string, string> = { 'PHONE NUMBER': 'tel', EMAIL: 'email', URL: 'url' }

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
  // A date cell may have a time, too, which a field for days would not show.
  if (type === 'DATE' && DAY.test(value)) return <DateField {...shared} kind="day" />
  const hint =
    type === 'MULTI SELECT'
      ? t('Any of {options}, separated by commas.', { options: options?.join(', ') ?? '' })
      : undefined
  return <TextField {...shared} type={INPUTS[type] ?? 'text'} hint={hint} />
}
