import { useEffect, useRef } from 'react'

/** A control of the page, or one of our own, which keeps its value in `data-value`. */
const CONTROLS = 'form :is(input:not([type=search]), textarea, [data-value])'

/** Whether a field in the forms of this element differs from its initial value. */
export function useWritten(element: { current: HTMLElement | null }): () => boolean {
  const first = useRef(new Map<Element, string>())
  useEffect(() => {
    const root = element.current
    const note = (target: EventTarget | null) => {
      const control = controlOf(target)
      if (control && !first.current.has(control)) first.current.set(control, valueOf(control))
    }
    const noteFocus = ({ target }: Event) => note(target)
    root?.addEventListener('focusin', noteFocus)
    // The one that has the focus from the start.
    const { activeElement } = document
    if (root?.contains(activeElement)) note(activeElement)
    return () => root?.removeEventListener('focusin', noteFocus)
  }, [element])
  return () => [...first.current].some(([control, value]) => control.isConnected && valueOf(control) !== value)
}

/** A search filters what is shown; nothing is lost with it. */
function controlOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? (target.closest('form [data-value]') ?? target.closest(CONTROLS)) : null
}

function valueOf(control: Element): string {
  if (control instanceof HTMLElement && control.dataset.value !== undefined) return control.dataset.value
  if (control instanceof HTMLTextAreaElement) return control.value
  if (!(control instanceof HTMLInputElement)) return ''
  return ['checkbox', 'radio'].includes(control.type) ? String(control.checked) : control.value
}
