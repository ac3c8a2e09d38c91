import { useSyncExternalStore } from 'react'

export type Theme = 'auto' | 'light' | 'dark'

const KEPT = 'gangan.theme'

const CHANGED = 'gangan-theme'

/** What was chosen in this browser; `public/theme.js` has already put it on the page. */
function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEPT)
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

export function setTheme(theme: Theme): void {
  if (theme === 'auto') {
    localStorage.removeItem(KEPT)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(KEPT, theme)
    document.documentElement.dataset.theme = theme
  }
  dispatchEvent(new Event(CHANGED))
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme)
}

function subscribe(notice: () => void): () => void {
  addEventListener(CHANGED, notice)
  return () => removeEventListener(CHANGED, notice)
}
