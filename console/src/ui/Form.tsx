import { createContext, useContext, useEffect, useId, useMemo, useState, type FormEvent, type ReactNode } from 'react'
import type { Fault } from '../../../src/http/schema.ts'
import type { ApiError } from '../api.ts'

type FormState = { faults: readonly Fault[]; register: (name: string) => () => void }

const FormContext = createContext<FormState>({ faults: [], register: () => () => {} })

/**
 * A form whose refusal is shown where it belongs: each fault beside the field it names, the others at the top. Fields
 * are named as the API names them.
 */
export function Form({
  error,
  onSubmit,
  children,
  label,
}: {
  error: ApiError | null
  onSubmit: () => void
  children: ReactNode
  label?: string
}) {
  const [names, setNames] = useState<readonly string[]>([])
  const state = useMemo<FormState>(
    () => ({
      faults: error?.faults ?? [],
      register: (name) => {
        setNames((all) => [...all, name])
        return () => setNames((all) => all.filter((each) => each !== name))
      },
    }),
    [error],
  )
  const homeless = (error?.faults ?? []).filter(({ field }) => !names.some((name) => concerns(field, name)))
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }
  return (
    <FormContext value={state}>
      <form className="form" onSubmit={submit} noValidate aria-label={label}>
        {error && <Refused error={error} faults={homeless} />}
        {children}
      </form>
    </FormContext>
  )
}

/** What was refused, in the service's words. */
export function Refused({ error, faults = error.faults }: { error: ApiError; faults?: readonly Fault[] }) {
  return (
    <div className="refused" role="alert">
      <p>{error.message}</p>
      {faults.length > 0 && (
        <ul>
          {faults.slice(0, 20).map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <b>{field}</b>: {message}
            </li>
          ))}
          {faults.length > 20 && <li>… and {faults.length - 20} more.</li>}
        </ul>
      )}
      {error.retry_after_s !== undefined && <p>Try again in {error.retry_after_s} seconds.</p>}
    </div>
  )
}

export function FormActions({ children }: { children: ReactNode }) {
  return <div className="form-actions">{children}</div>
}

export type ControlProps = {
  id: string
  name: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

/** A label, a control, a hint and the faults the service found. `children` gets what the control must carry. */
export function Field({
  name,
  label,
  hint,
  optional = false,
  children,
}: {
  name: string
  label: string
  hint?: ReactNode
  optional?: boolean
  children: (control: ControlProps) => ReactNode
}) {
  const id = useId()
  const { faults, register } = useContext(FormContext)
  useEffect(() => register(name), [register, name])
  const mine = faults.filter(({ field }) => concerns(field, name))
  const described = [hint ? `${id}-hint` : '', mine.length > 0 ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional && <span className="soft"> optional</span>}
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
      {mine.length > 0 && (
        <ul id={`${id}-fault`} className="faults">
          {mine.slice(0, 5).map(({ field, message }) => (
            <li key={`${field} ${message}`}>{field === name ? message : `${field.slice(name.length)} ${message}`}</li>
          ))}
          {mine.length > 5 && <li>… and {mine.length - 5} more.</li>}
        </ul>
      )}
    </div>
  )
}

function concerns(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`)
}
