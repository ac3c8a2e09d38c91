import { useEffect, useRef } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Whether a field in the forms of this element differs from its initial value. */
export function useWritten(element: { current: HTMLElement | null }): () => boolean {
  const first = useRef(new Map<Control, string>())
  useEffect(() => {
    const root = element.current
    const note = ({ target }: Event) => {
      if (isControl(target) && !first.current.has(target)) first.current.set(target, valueOf(target))
    }
    root?.addEventListener('focusin', note)
    // The one that has the focus from the start.
    const { activeElement } = document
    if (isControl(activeElement) && root?.contains(activeElement))
      first.current.set(activeElement, valueOf(activeElement))
    return () => root?.removeEventListener('focusin', note)
  }, [element])
  return () => [...first.current].some(([control, value]) => control.isConnected && valueOf(control) !== value)
}

/** A search filters what is shown; nothing is lost with it. */
function isControl(target: EventTarget | null): target is Control {
  if (target instanceof HTMLInputElement) return target.form !== null && target.type !== 'search'
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) && target.form !== null
}

function valueOf(control: Control): string {
  const boxed = control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)
  return boxed ? String(control.checked) : control.value
}
