import { SelectField } from '../fields.tsx'
import { countryChoices } from '../phone-format.ts'

/** Selects a country by name rather than by its two-letter code. */
export function CountryField({
  name,
  label,
  hint,
  any,
  value,
  onChange,
}: {
  name: string
  label: string
  hint?: string
  /** What no country is called, where one may be left out. */
  any?: string
  value: string
  onChange: (country: string) => void
}) {
  const none = any === undefined ? [] : [{ value: '', label: any }]
  const choices = [...none, ...countryChoices()]
  return <SelectField name={name} label={label} hint={hint} value={value} onChange={onChange} choices={choices} />
}
