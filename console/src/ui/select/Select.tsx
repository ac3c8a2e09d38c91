import { lazy, Suspense, useId, useRef, useState, type KeyboardEvent } from 'react'
import { allTexts } from '../../text/language.ts'
import type { ControlProps } from '../Form.tsx'
import type { Choice } from './choice.ts'

const Options = lazy(async () => {
  await allTexts()
  return import('./Options.tsx')
})

type Props = {
  value: string
  onChange: (value: string) => void
  choices: readonly Choice[]
  /** The accessible name where no visible label refers to it. */
  label?: string | undefined
  className?: string
  disabled?: boolean
  autoFocus?: boolean
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
} & Partial<ControlProps>

/**
 * Selects one of a list; typing searches it. The button is ours and small; the list behind it is a component of React Aria, loaded when a
 * select is first pointed at, focused or opened.
 */
export function Select({ value, onChange, choices, label, className, onBlur, onKeyDown, ...control }: Props) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const list_id = useId()
  function choose(next: string) {
    setOpen(false)
    if (next === value) return
    onChange(next)
    // A form notices its fields by their input events.
    trigger.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  function show(search: string) {
    setTyped(search)
    setOpen(true)
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      show('')
    } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // What is typed before the list is loaded is not lost.
      event.preventDefault()
      show(open ? typed + event.key : event.key)
    } else onKeyDown?.(event)
  }
  return (
    <>
      <button
        {...control}
        ref={trigger}
        type="button"
        role="combobox"
        className={`select ${className ?? ''}`}
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? list_id : undefined}
        data-value={value}
        onPointerEnter={preload}
        onFocus={preload}
        onBlur={open ? undefined : onBlur}
        onKeyDown={press}
        onClick={() => show('')}
      >
        <span>{choices.find((choice) => choice.value === value)?.label ?? value}</span>
      </button>
      {open && (
        <Suspense>
          <Options
            id={list_id}
            trigger={trigger}
            label={label}
            choices={choices}
            value={value}
            typed={typed}
            onChoose={choose}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function preload() {
  void import('./Options.tsx').catch(() => {})
}
