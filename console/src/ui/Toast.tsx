import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react'

type Say = (sentence: string, tone?: 'good' | 'bad') => void

const ToastContext = createContext<Say>(() => {})

const SHOWN_MS = 5_000

/** A short message at the edge of the window, announced to screen readers. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: number; sentence: string; tone: string }[]>([])
  const next = useRef(1)
  const say = useCallback<Say>((sentence, tone = 'good') => {
    const id = next.current++
    setToasts((all) => [...all.slice(-2), { id, sentence, tone }])
    setTimeout(() => setToasts((all) => all.filter((toast) => toast.id !== id)), SHOWN_MS)
  }, [])
  return (
    <ToastContext value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, sentence, tone }) => (
          <p key={id} className={`toast ${tone}`}>
            {sentence}
          </p>
        ))}
      </div>
    </ToastContext>
  )
}

export function useSay(): Say {
  return useContext(ToastContext)
}
