import { useEffect } from 'react'

/** `/` goes to the page's search, as long as nothing is being typed. Esc is the dialogs' own. */
export function useShortcuts(): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const search = document.querySelector<HTMLInputElement>('main [data-search]')
      if (!search) return
      event.preventDefault()
      search.focus()
      search.select()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
