import { useContext, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'
import { t } from '../text/text.ts'
import { ReadOnly } from './Button.tsx'
import { Field, ShownValue } from './Form.tsx'
import type { Choice } from './select/choice.ts'
import { Select } from './select/Select.tsx'

type Labelled = { name: string; label: string; hint?: ReactNode; optional?: boolean }
type Valued = { value: string; onChange: (value: string) => void }
type Without<T> = Omit<T, 'name' | 'value' | 'onChange' | 'id'>

/** One line of text. */
export function TextField({
  name,
  label,
  hint,
  optional,
  value,
  onChange,
  ...rest
}: Labelled & Valued & Without<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <Field name={name} label={label} hint={hint} shown={value} {...(optional ? { optional } : {})}>
      {(control) => (
        <input type="text" {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

/** Several lines of text. */
export function AreaField({
  name,
  label,
  hint,
  optional,
  entries,
  value,
  onChange,
  ...rest
}: Labelled & Valued & { entries?: readonly string[] } & Without<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field name={name} label={label} hint={hint} entries={entries} shown={value} {...(optional ? { optional } : {})}>
      {(control) => (
        <textarea rows={4} {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

/** One of a few. */
export function SelectField({
  name,
  label,
  hint,
  optional,
  value,
  onChange,
  choices,
}: Labelled & Valued & { choices: readonly Choice[] }) {
  const shown = choices.find((choice) => choice.value === value)?.label ?? value
  return (
    <Field name={name} label={label} hint={hint} shown={shown} {...(optional ? { optional } : {})}>
      {(control) => <Select {...control} value={value} onChange={onChange} choices={choices} />}
    </Field>
  )
}

/** The channel of messages. */
export function ChannelField({ name = 'channel', ...valued }: Valued & { name?: string }) {
  return (
    <SelectField
      {...valued}
      name={name}
      label={t('Channel')}
      choices={[
        { value: 'sms', label: 'SMS' },
        { value: 'whatsapp', label: 'WhatsApp' },
      ]}
    />
  )
}

/** Yes or no, with the question beside it. */
export function CheckField({
  name,
  label,
  hint,
  checked,
  onChange,
}: {
  name: string
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  if (useContext(ReadOnly)) return <ShownValue label={label}>{checked ? t('yes') : t('no')}</ShownValue>
  return (
    <label className="check">
      <input type="checkbox" name={name} checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  )
}

/** Any of a few, each with its box. */
export function CheckFields({
  legend,
  choices,
  checked,
  onChange,
}: {
  legend: string
  choices: readonly (readonly [value: string, label: string, hint?: string])[]
  checked: readonly string[]
  onChange: (checked: readonly string[]) => void
}) {
  return (
    <fieldset className="checks">
      <legend>{legend}</legend>
      {choices.map(([value, label, hint]) => (
        <CheckField
          key={value}
          name={value}
          label={label}
          hint={hint}
          checked={checked.includes(value)}
          onChange={(on) => onChange(on ? [...checked, value] : checked.filter((each) => each !== value))}
        />
      ))}
    </fieldset>
  )
}

/** A choice of few that stays in sight, such as hour, day, month. */
export function Segments<Value extends string>({
  label,
  value,
  onChange,
  choices,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  choices: readonly { value: Value; label: string }[]
}) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}

/** The filters of a list, or with a label those of figures. They apply as they are set. */
export function FilterForm({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <form
      role="search"
      className={label ? 'filters even' : 'filters'}
      aria-label={label}
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
    </form>
  )
}

/** The search of a page; `/` goes to it. */
export function SearchField({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
}) {
  return (
    <input
      type="search"
      className="search"
      data-search
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder ?? label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      spellCheck={false}
      autoComplete="off"
    />
  )
}
