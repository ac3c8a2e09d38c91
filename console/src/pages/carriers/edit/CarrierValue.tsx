import { t } from '../../../text/text.ts'
import { CheckField, SelectField, TextField } from '../../../ui/fields.tsx'
import { ShownValue } from '../../../ui/Form.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { CountryField } from '../../../ui/select/CountryField.tsx'
import { isLeftToJson } from './carrier-draft.ts'
import type { CarrierField } from './carrier-fields.ts'
import type { Settings } from './settings.ts'

const PLACEHOLDER = /^<secret .+>$/s

type Props = {
  field: CarrierField
  name: string
  base: Settings
  /** The value that is saved; of a secret its placeholder. */
  stored: string
  value: string
  onChange: (value: string) => void
}

/** One field of a carrier. */
export function CarrierValue({ field, name, base, stored, value, onChange }: Props) {
  const { form, label, hint, optional = false, choices = [], placeholder } = field
  if (isLeftToJson(field, base)) return <ShownValue label={label}>{t('set as JSON')}</ShownValue>
  const common = { name, label, hint: hint ?? '', value, onChange }
  switch (form) {
    case 'check':
    case 'switch':
      return (
        <CheckField
          name={name}
          label={label}
          hint={hint}
          checked={value === 'true'}
          onChange={(checked) => onChange(checked ? 'true' : '')}
        />
      )
    case 'choice':
      return <SelectField {...common} choices={choices} />
    case 'country':
      return <CountryField {...common} any={t('That of the installation')} />
    case 'secret':
      return <SecretField {...common} stored={stored} />
    case 'text':
    case 'number':
      return (
        <TextField
          {...common}
          optional={optional}
          placeholder={placeholder}
          spellCheck={false}
          {...(form === 'number' ? { inputMode: 'decimal' } : {})}
        />
      )
  }
}

/** A secret is written, never read: a field without a value keeps the one that is stored. */
function SecretField({
  name,
  label,
  hint,
  stored,
  value,
  onChange,
}: Pick<Props, 'name' | 'stored' | 'value' | 'onChange'> & { label: string; hint: string }) {
  const is_stored = PLACEHOLDER.test(stored)
  return (
    <PasswordField
      name={name}
      label={label}
      hint={is_stored ? t('Stored. Leave it empty to keep it.') : hint}
      autoComplete="new-password"
      value={PLACEHOLDER.test(value) ? '' : value}
      onChange={(text) => onChange(text === '' && is_stored ? stored : text)}
    />
  )
}
