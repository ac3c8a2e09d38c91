import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { elementHeight, isStuck, moved, scaleOf, spotAt, type Spot } from './scroll-scale.ts'

const ROW_PX = 38
const HEAD_PX = 37
/** Rows rendered outside the viewport on either side; each costs time in every frame. */
const OVERSCAN = 4
const REST_MS = 200

export type RowWindow = {
  /** Of the element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  /** The rows to draw: from `first` to before `end`. */
  first: number
  end: number
  /** The height of the element that spans all rows. */
  height: number
  /** Where a row is drawn in it. */
  topOf: (index: number) => number
  /** Brings a row into view. */
  show: (index: number) => void
  /** How many rows are in view. */
  in_view: number
}

/** The rows of a list in view, of which all have the same height, in an element that spans all of them. */
export function useRowWindow(count: number): RowWindow {
  const scroller = useRef<HTMLDivElement>(null)
  const list_px = count * ROW_PX
  const [view, setView] = useState(0)
  const scale = useMemo(() => scaleOf(list_px, view), [list_px, view])
  const spot = useRef<Spot>({ top: 0, bar_top: 0 })
  const [drawn, setDrawn] = useState({ first: 0, shift: 0 })

  const draw = useCallback((next: Spot) => {
    spot.current = next
    const first = Math.max(0, Math.floor(next.top / ROW_PX) - OVERSCAN)
    const shift = next.top - next.bar_top
    setDrawn((before) => (before.first === first && before.shift === shift ? before : { first, shift }))
  }, [])
  /** Moves the scrollbar along. It must not be painted before the rows are. */
  const place = useCallback(
    (top: number) => {
      const box = scroller.current
      if (!box) return
      const next = spotAt(top, scale)
      box.scrollTop = next.bar_top
      draw({ top: next.top, bar_top: box.scrollTop })
    },
    [scale, draw],
  )

  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const measure = () => setView(Math.max(0, box.clientHeight - HEAD_PX))
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  useLayoutEffect(() => place(spot.current.top), [place])
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let resting: ReturnType<typeof setTimeout> | undefined
    const settle = () => {
      if (scale.full === scale.bar) return
      if (spotAt(spot.current.top, scale).bar_top !== Math.round(spot.current.bar_top))
        flushSync(() => place(spot.current.top))
    }
    const scroll = () => {
      const next = moved(spot.current, box.scrollTop, scale)
      draw(next)
      clearTimeout(resting)
      if (isStuck(next, scale)) settle()
      else resting = setTimeout(settle, REST_MS)
    }
    box.addEventListener('scroll', scroll, { passive: true })
    return () => {
      clearTimeout(resting)
      box.removeEventListener('scroll', scroll)
    }
  }, [scale, draw, place])

  const show = useCallback(
    (index: number) => {
      const { top } = spot.current
      const [start, end] = [index * ROW_PX, (index + 1) * ROW_PX]
      if (start < top) place(start)
      else if (end > top + scale.view) place(end - scale.view)
    },
    [scale, place],
  )
  const topOf = useCallback((index: number) => index * ROW_PX - drawn.shift, [drawn.shift])
  const in_view = Math.max(1, Math.floor(view / ROW_PX))
  const end = Math.min(count, drawn.first + in_view + 1 + 2 * OVERSCAN)
  return {
    scroller,
    first: Math.min(drawn.first, Math.max(0, end - 1)),
    end,
    height: elementHeight(list_px),
    topOf,
    show,
    in_view,
  }
}
