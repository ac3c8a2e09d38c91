const MOST_MARKS = 5
/** Width reserved for a label under a column. */
const TICK_PX = 92

/** Round marks from nothing to at least the largest value. */
export function axisMarks(largest: number, form: 'count' | 'share' | 'money'): number[] {
  if (form === 'share') return [0, 0.25, 0.5, 0.75, 1]
  const wanted = Math.max(largest, form === 'count' ? 4 : 1)
  const rough = wanted / (MOST_MARKS - 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  const step = form === 'count' ? Math.max(1, Math.ceil(round)) : round
  return Array.from({ length: Math.ceil(wanted / step) + 1 }, (_, n) => n * step)
}

/** The steps with a label: as many as fit, evenly spaced. */
export function ticks(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / TICK_PX))))
  return Array.from({ length: Math.ceil(count / every) }, (_, n) => n * every)
}
