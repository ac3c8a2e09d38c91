import { lazy, Suspense, useRef, type ReactNode } from 'react'
import { allTexts } from '../../text/language.ts'
import { t } from '../../text/text.ts'
import { IconButton } from '../Button.tsx'
import { Field, type ControlProps } from '../Form.tsx'
import type { Kind } from './kind.ts'
import { useZone, zoneName } from './zone.ts'

const Picker = lazy(async () => {
  await allTexts()
  return import('./Picker.tsx')
})

type Picked = {
  kind: Kind
  value: string
  onChange: (value: string) => void
  /** The last day that can be chosen. */
  latest?: string
  /** Whose time it is, where that is not the organisation's. */
  zone?: string
}

/** A day, a time of day or a moment, in the format of the page's language, with its time zone beside it. */
export function DateField({
  name,
  label,
  hint,
  optional,
  ...picked
}: Picked & { name: string; label: string; hint?: ReactNode; optional?: boolean }) {
  return (
    <Field name={name} label={label} hint={hint} shown={picked.value} {...(optional ? { optional } : {})}>
      {(control) => <DateControl {...picked} control={control} label_id={`${control.id}-label`} />}
    </Field>
  )
}

/** The same in a row of filters. */
export function DateFilter({ label, ...picked }: Picked & { label: string }) {
  return (
    <div className={picked.kind === 'moment' ? 'filter-time with-time' : 'filter-time'}>
      <span aria-hidden="true">{label}</span>
      <DateControl {...picked} label={label} />
    </div>
  )
}

function DateControl({
  control,
  label,
  label_id,
  value,
  onChange,
  kind,
  latest,
  zone,
}: Picked & { control?: ControlProps; label?: string; label_id?: string }) {
  const box = useRef<HTMLDivElement>(null)
  const organisation_zone = useZone()
  function change(next: string) {
    if (next === value) return
    onChange(next)
    // A form notices its fields by their input events.
    box.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const named = kind === 'moment' ? zoneName(organisation_zone, value) : zone
  return (
    <div className={`date ${kind}`} ref={box} data-name={control?.name} data-value={value}>
      <Suspense fallback={<span className="date-input" />}>
        <Picker
          kind={kind}
          value={value}
          onChange={change}
          time_zone={organisation_zone}
          latest={latest}
          label={label}
          label_id={label_id}
          described_by={control?.['aria-describedby']}
          invalid={control?.['aria-invalid'] ?? false}
        />
      </Suspense>
      {value !== '' && <IconButton label={t('Clear||a date')} icon="close" onClick={() => change('')} />}
      {named !== undefined && <span className="date-zone">{named}</span>}
    </div>
  )
}
