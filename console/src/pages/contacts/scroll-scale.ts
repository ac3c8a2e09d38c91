/** No browser draws an element of more than 17 million pixels. */
const TALLEST_PX = 8_000_000

/** A list of `full` pixels whose element is `bar` pixels tall; both without the part that is in view. */
export type Scale = { full: number; bar: number; view: number }

/** Where the list stands, and where its scrollbar does. */
export type Spot = { top: number; bar_top: number }

export function scaleOf(list_px: number, view: number): Scale {
  return { full: Math.max(0, list_px - view), bar: Math.max(0, elementHeight(list_px) - view), view }
}

/** The height of the element that spans the list. */
export function elementHeight(list_px: number): number {
  return Math.min(list_px, TALLEST_PX)
}

/** Where the scrollbar of a list stands that is at `top`: at an end only where the list is. */
export function spotAt(top: number, { full, bar }: Scale): Spot {
  const within = Math.min(Math.max(top, 0), full)
  if (full === bar || within === 0 || within === full) return { top: within, bar_top: within === full ? bar : within }
  return { top: within, bar_top: Math.min(Math.max(Math.round((within * bar) / full), 1), bar - 1) }
}

/**
 * The list after its scrollbar has moved. In a list taller than its element a step of less than a view (the wheel, a key)
 * moves it by as many pixels, a longer one (the thumb) in proportion: rows are neither skipped nor out of reach.
 */
export function moved(from: Spot, bar_top: number, { full, bar, view }: Scale): Spot {
  if (full === bar) return { top: bar_top, bar_top }
  const step = bar_top - from.bar_top
  const top = Math.abs(step) > view ? (bar_top * full) / bar : from.top + step
  return { top: Math.min(Math.max(top, 0), full), bar_top }
}

/** Whether the scrollbar has come to an end before the list has. */
export function isStuck({ top, bar_top }: Spot, { full, bar }: Scale): boolean {
  return (bar_top <= 0 && top > 0) || (bar_top >= bar && top < full)
}
