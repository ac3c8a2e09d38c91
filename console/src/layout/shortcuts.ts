import { useEffect } from 'react'

/**
 * `/` goes to the page's search, as long as nothing is being typed; ⌘K, or Ctrl and K, to the search of everything, as
 * long as no window is open. Esc is the dialogs' own.
 */
export function useShortcuts(onPalette: () => void): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault()
        if (!document.querySelector('dialog[open]')) onPalette()
        return
      }
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const search = document.querySelector<HTMLInputElement>('main [data-search]')
      if (!search) return
      event.preventDefault()
      search.focus()
      search.select()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onPalette])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
