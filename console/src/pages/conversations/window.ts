import { useEffect, useState } from 'react'

/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1

/** Whether free text may still be sent on WhatsApp; always, on channels without such a window. */
export function useWindow(until: string | undefined): boolean {
  const [now_ms, setNow] = useState(Date.now)
  const is_open = until === undefined || Date.parse(until) > now_ms
  useEffect(() => {
    if (until === undefined || !is_open) return
    const left_ms = Math.max(0, Date.parse(until) - Date.now())
    const timer = setTimeout(() => setNow(Date.now()), Math.min(LONGEST_MS, left_ms + 1))
    return () => clearTimeout(timer)
  }, [until, is_open])
  return is_open
}
