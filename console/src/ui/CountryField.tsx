import { SelectField } from './fields.tsx'
import { countryChoices } from './phone-format.ts'

/** A country by its name: two letters typed by heart are soon another country’s. */
export function CountryField({
  name,
  label,
  hint,
  value,
  onChange,
}: {
  name: string
  label: string
  hint?: string
  value: string
  onChange: (country: string) => void
}) {
  return (
    <SelectField name={name} label={label} hint={hint} value={value} onChange={onChange} choices={countryChoices()} />
  )
}
