const MOST_MARKS = 5
/** Width reserved for a label under a column. */
const TICK_PX = 92

/** Round marks from nothing, or the smallest value if it is negative, to at least the largest one. */
export function axisMarks(largest: number, form: 'count' | 'share' | 'money', smallest = 0): number[] {
  if (form === 'share' && smallest === 0) return [0, 0.25, 0.5, 0.75, 1]
  const above = Math.max(largest, form === 'count' ? 4 : smallest === 0 || form === 'share' ? 1 : 0)
  const wanted = above - smallest
  const rough = wanted / (MOST_MARKS - 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  const step = form === 'count' ? Math.max(1, Math.ceil(round)) : round
  const below = Math.ceil(-smallest / step)
  return Array.from({ length: below + Math.ceil(above / step) + 1 }, (_, n) => (n - below) * step)
}

/** The steps with a label: as many as fit, evenly spaced. */
export function ticks(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / TICK_PX))))
  return Array.from({ length: Math.ceil(count / every) }, (_, n) => n * every)
}
