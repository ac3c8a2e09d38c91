const WIDTH = 100
const HEIGHT = 24

/** The course of a figure as a line without axes. Decoration: the figure beside it says what it has come to. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values)
  if (values.length < 2 || most <= 0) return null
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={lineOf(values, most)} />
    </svg>
  )
}

/** The largest value touches the top; nothing lies on the ground line. */
export function lineOf(values: readonly number[], most: number): string {
  const step = WIDTH / (values.length - 1)
  const points = values.map((value, n) => `${round(n * step)} ${round(HEIGHT - 1 - (value / most) * (HEIGHT - 2))}`)
  return `M${points.join('L')}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
