import { useEffect, useRef, type ReactNode } from 'react'
import { t } from '../text/text.ts'
import { Button, IconButton } from './Button.tsx'
import { Faults, useFaults } from './Form.tsx'

type Props<Entry> = {
  /** The name of the list in the API; faults of the list as a whole are shown below it. */
  name: string
  legend: string
  hint?: ReactNode
  entries: readonly Entry[]
  /** Identifies an entry while it moves. */
  keyOf: (entry: Entry, n: number) => string
  onChange: (entries: Entry[]) => void
  /** What a button that removes an entry says; undefined: it stays. */
  remove: (entry: Entry, n: number) => string | undefined
  /** What is moved, if the order matters. */
  moved?: (entry: Entry) => string
  /** Whether the fields of an entry show its faults. */
  has_fields?: boolean
  /** The fields of an entry, or what it is. */
  children: (entry: Entry, n: number) => ReactNode
  /** What adds an entry. */
  add?: ReactNode
}

/** A list in a form: entries are removed, and moved by buttons where their order matters. */
export function ListField<Entry>({
  name,
  legend,
  hint,
  entries,
  keyOf,
  onChange,
  remove,
  moved,
  has_fields = false,
  children,
  add,
}: Props<Entry>) {
  const { list, focusOn } = useFocusOnMoved(entries)
  const faults = useFaults(name).filter(({ field }) => !has_fields || field === name)
  function change(next: Entry[]) {
    onChange(next)
    // A form notices its fields by their input events.
    list.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  function move(entry: Entry, n: number, by: -1 | 1) {
    focusOn(keyOf(entry, n), by)
    change(entries.toSpliced(n, 1).toSpliced(n + by, 0, entry))
  }
  return (
    <fieldset className="list-field" ref={list} data-name={name}>
      <legend>{legend}</legend>
      {hint && <p className="hint">{hint}</p>}
      {entries.map((entry, n) => {
        const removal = remove(entry, n)
        return (
          <div
            key={keyOf(entry, n)}
            className={moved ? 'list-entry in-order' : 'list-entry'}
            data-entry={keyOf(entry, n)}
          >
            {children(entry, n)}
            {moved && (
              <span className="row">
                <IconButton
                  label={t('Move {name} up', { name: moved(entry) })}
                  icon="up"
                  data-move="-1"
                  blocked={n === 0 ? t('It is the first.') : undefined}
                  onClick={() => move(entry, n, -1)}
                />
                <IconButton
                  label={t('Move {name} down', { name: moved(entry) })}
                  icon="down"
                  data-move="1"
                  blocked={n === entries.length - 1 ? t('It is the last.') : undefined}
                  onClick={() => move(entry, n, 1)}
                />
                {removal !== undefined && (
                  <IconButton label={removal} icon="close" onClick={() => change(entries.toSpliced(n, 1))} />
                )}
              </span>
            )}
            {!moved && removal !== undefined && (
              <Button look="bare" onClick={() => change(entries.toSpliced(n, 1))}>
                {removal}
              </Button>
            )}
          </div>
        )
      })}
      <Faults faults={faults} name={name} />
      {add}
    </fieldset>
  )
}

/** Keeps the focus on the button that moved an entry; at an end of the list on the button for the other direction. */
function useFocusOnMoved(entries: readonly unknown[]) {
  const list = useRef<HTMLFieldSetElement>(null)
  const wanted = useRef<{ key: string; by: number }>(undefined)
  useEffect(() => {
    if (!wanted.current) return
    const { key, by } = wanted.current
    wanted.current = undefined
    const entry = [...(list.current?.children ?? [])].find(
      (child) => child instanceof HTMLElement && child.dataset.entry === key,
    )
    const buttons = [by, -by].map((to) => entry?.querySelector<HTMLButtonElement>(`[data-move="${to}"]`))
    buttons.find((button) => button && !button.disabled)?.focus()
  }, [entries])
  return { list, focusOn: (key: string, by: number) => void (wanted.current = { key, by }) }
}
