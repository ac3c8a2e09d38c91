import { SelectField } from '../fields.tsx'
import { countryChoices } from '../phone-format.ts'

/** Selects a country by name rather than by its two-letter code. */
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
