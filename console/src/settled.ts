import { useEffect, useState } from 'react'

/** A value that is being typed, once it has not changed for a moment. */
export function useSettled(value: string, after_ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(value), after_ms)
    return () => clearTimeout(waiting)
  }, [value, after_ms])
  return settled
}
