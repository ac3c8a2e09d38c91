import { createContext, useContext, useEffect, useId, useMemo, useState, type FormEvent, type ReactNode } from 'react'
import type { Fault } from '../../../clients/typescript/src/errors.ts'
import type { ApiError } from '../api.ts'
import type { KeptDraft } from '../draft.ts'
import { plural, Rich, t } from '../text/text.ts'
import { Button, ReadOnly } from './Button.tsx'
import { faultWords, fieldWords } from './fault-words.ts'

type FormState = { faults: readonly Fault[]; register: (name: string) => () => void }

const FormContext = createContext<FormState>({ faults: [], register: () => () => {} })

const NOTHING: ReadonlySet<string> = new Set()

/**
 * A form that shows each fault of a refusal beside its field, and the others at the top. Fields have the names of the
 * API. Changing a field clears its fault. To users with read-only access it shows the values.
 */
export function Form({
  error,
  onSubmit,
  children,
  label,
  draft,
}: {
  error: ApiError | null
  onSubmit: () => void
  children: ReactNode
  label?: string | undefined
  draft?: KeptDraft | undefined
}) {
  const [names, setNames] = useState<readonly string[]>([])
  const [changed, setChanged] = useState<{ since: ApiError | null; names: ReadonlySet<string> }>({
    since: null,
    names: NOTHING,
  })
  const corrected = changed.since === error ? changed.names : NOTHING
  const faults = useMemo(
    () => (error?.faults ?? []).filter(({ field }) => ![...corrected].some((name) => concerns(field, name))),
    [error, corrected],
  )
  const state = useMemo<FormState>(
    () => ({
      faults,
      register: (name) => {
        setNames((all) => [...all, name])
        return () => setNames((all) => all.filter((each) => each !== name))
      },
    }),
    [faults],
  )
  const read_only = useContext(ReadOnly)
  const homeless = faults.filter(({ field }) => !names.some((name) => concerns(field, name)))
  function note({ target }: FormEvent) {
    const name = target instanceof HTMLElement ? (target.getAttribute('name') ?? target.dataset.name ?? '') : ''
    if (error && !corrected.has(name)) setChanged({ since: error, names: new Set([...corrected, name]) })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }
  if (read_only) {
    return (
      <div className="form" role="group" aria-label={label}>
        {children}
      </div>
    )
  }
  return (
    <FormContext value={state}>
      <form className="form" onSubmit={submit} onInput={note} noValidate aria-label={label}>
        {draft && <Restored draft={draft} />}
        {error && corrected.size === 0 && <Refused error={error} faults={homeless} />}
        {children}
      </form>
    </FormContext>
  )
}

function Restored({ draft: [, , forget, restored, is_outdated] }: { draft: KeptDraft }) {
  if (!restored) return null
  return (
    <div className="restored" role="status">
      <p>
        {is_outdated
          ? t('What you wrote here before is restored; what is saved was changed elsewhere since.')
          : t('What you wrote here before is restored; it is not saved yet.')}
      </p>
      <Button look="bare" onClick={() => forget()}>
        {t('Discard it')}
      </Button>
    </div>
  )
}

/** What was refused. Where each fault stands beside its field, there is nothing more to say than where to look. */
export function Refused({ error, faults = error.faults }: { error: ApiError; faults?: readonly Fault[] }) {
  const beside = error.faults.length > 0 && faults.length === 0
  return (
    <div className="refused" role="alert">
      <p>
        {beside && error.status === 400
          ? t('Some fields are missing or invalid: see the fields in red.')
          : error.message}
      </p>
      {faults.length > 0 && (
        <ul>
          {faults.slice(0, 20).map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <Rich
                text="<b>{field}</b>: {message}"
                values={{ field: sentenceCase(fieldWords(field)), message }}
                b={(inner) => <b>{inner}</b>}
              />
            </li>
          ))}
          {faults.length > 20 && <li>{moreWords(faults.length - 20)}</li>}
        </ul>
      )}
      {error.retry_after_s !== undefined && (
        <p>{plural(error.retry_after_s, 'Try again in {n} second.', 'Try again in {n} seconds.')}</p>
      )}
    </div>
  )
}

export function FormActions({ children }: { children: ReactNode }) {
  return <div className="form-actions">{children}</div>
}

/** What a field says to users who cannot change it. */
export function ShownValue({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl className="field">
      <dt>{label}</dt>
      <dd>{children === '' ? '–' : children}</dd>
    </dl>
  )
}

export type ControlProps = {
  id: string
  name: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

/** The faults of the form around it that are about this field, until it is changed. */
export function useFaults(name: string): readonly Fault[] {
  const { faults, register } = useContext(FormContext)
  useEffect(() => register(name), [register, name])
  return faults.filter(({ field }) => concerns(field, name))
}

/** A label, a control, a hint and the faults the service found. `children` gets what the control must carry. */
export function Field({
  name,
  label,
  hint,
  optional = false,
  entries,
  shown,
  children,
}: {
  name: string
  label: string
  hint?: ReactNode
  optional?: boolean
  /** The value as text, for users with read-only access. */
  shown?: string
  /** Where the field is a list: its entries in order, so that a fault can say which. */
  entries?: readonly string[] | undefined
  children: (control: ControlProps) => ReactNode
}) {
  const id = useId()
  const mine = useFaults(name)
  const read_only = useContext(ReadOnly)
  if (read_only && shown !== undefined) return <ShownValue label={label}>{shown}</ShownValue>
  const described = [hint ? `${id}-hint` : '', mine.length > 0 ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label id={`${id}-label`} htmlFor={id}>
        {label}
        {optional && <span className="soft"> {t('optional')}</span>}
      </label>
      {children({
        id,
        name,
        'aria-invalid': mine.length > 0 || undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      <Faults id={`${id}-fault`} faults={mine} name={name} entries={entries} />
    </div>
  )
}

export function Faults({
  id,
  faults,
  name,
  entries,
}: {
  id?: string
  faults: readonly Fault[]
  name: string
  entries?: readonly string[] | undefined
}) {
  if (faults.length === 0) return null
  return (
    <ul id={id} className="faults">
      {faults.slice(0, 5).map((fault) => (
        <li key={`${fault.field} ${fault.message}`}>{faultWords(fault, name, entries)}</li>
      ))}
      {faults.length > 5 && <li>{moreWords(faults.length - 5)}</li>}
    </ul>
  )
}

function moreWords(count: number): string {
  return plural(count, '… and {n} more.||one', '… and {n} more.')
}

function concerns(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`)
}

function sentenceCase(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
