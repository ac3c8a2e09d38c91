import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { number, percent, t } from '../../text/text.ts'
import { change } from '../../ui/change.ts'
import { stepNames, type Course, type Metric } from './analytics.ts'
import { axisMarks, ticks } from './axis.ts'
import { written } from './written.ts'

const HEIGHT = 240
const EDGE = { top: 12, right: 4, bottom: 28, left: 64 }

/**
 * A figure over time: columns, and what it was before as a line with dots, so that the two differ by their form and not
 * only by their colour. The pointer or the arrow keys read a step off; the table below says the same.
 */
export function Chart<F>({ report, metric }: { report: Course<F>; metric: Metric<F> }) {
  const [box, width] = useWidth()
  const [pointed, setPointed] = useState<number | undefined>()
  const legend = useId()
  const values = report.series.map(metric.of)
  const before = report.previous?.series.map(metric.of)
  const count = Math.max(values.length, before?.length ?? 0, 1)
  const drawn = [...values, ...(before ?? [])].map((value) => value ?? 0)
  const marks = axisMarks(Math.max(0, ...drawn), metric.form, Math.min(0, ...drawn))
  const [bottom, top] = [marks[0] ?? 0, marks.at(-1) ?? 1]
  const inner = { width: Math.max(1, width - EDGE.left - EDGE.right), height: HEIGHT - EDGE.top - EDGE.bottom }
  const step = inner.width / count
  const x = (n: number) => EDGE.left + n * step
  const y = (value: number) => EDGE.top + inner.height * (1 - (value - bottom) / (top - bottom))
  const names = stepNames(report)
  const at = pointed !== undefined && pointed < count ? pointed : undefined

  function point(event: PointerEvent<SVGSVGElement>) {
    const place = event.clientX - event.currentTarget.getBoundingClientRect().left - EDGE.left
    setPointed(Math.min(count - 1, Math.max(0, Math.floor(place / step))))
  }
  function move(event: KeyboardEvent) {
    const next = moved(event.key, at, count)
    if (next === undefined) return
    event.preventDefault()
    setPointed(next)
  }

  return (
    <figure className="analytics-chart">
      <figcaption id={legend} className="analytics-legend">
        <span className="analytics-key now">
          {metric.title}{' '}
          <b>{written(metric, at === undefined ? metric.of(report.totals) : values[at], report.currency)}</b>
        </span>
        {report.previous && (
          <span className="analytics-key before">
            {t('Before||what is compared with')}{' '}
            <b>
              {written(metric, at === undefined ? metric.of(report.previous.totals) : before?.[at], report.currency)}
            </b>
          </span>
        )}
        <span className="soft grow analytics-when">{stepSentence(report, metric, at)}</span>
      </figcaption>
      <div
        ref={box}
        className="analytics-box"
        role="slider"
        tabIndex={0}
        aria-label={t('{figure} over time. The arrow keys read it off step by step.', { figure: metric.title })}
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(at ?? count - 1) + 1}
        aria-valuetext={stepSentence(report, metric, at ?? count - 1, true)}
        onKeyDown={move}
        onFocus={() => setPointed((known) => known ?? count - 1)}
        onBlur={() => setPointed(undefined)}
      >
        <svg
          width={width}
          height={HEIGHT}
          aria-hidden="true"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          {marks.map((mark) => (
            <g key={mark}>
              <line
                className={mark === 0 && bottom < 0 ? 'grid zero' : 'grid'}
                x1={EDGE.left}
                x2={width - EDGE.right}
                y1={y(mark)}
                y2={y(mark)}
              />
              <text className="mark" x={EDGE.left - 8} y={y(mark)} dy="0.32em" textAnchor="end">
                {short(metric, mark)}
              </text>
            </g>
          ))}
          {at !== undefined && <rect className="pointed" x={x(at)} width={step} y={EDGE.top} height={inner.height} />}
          <path className="columns" d={columns(values, x, y, step)} />
          {before && <path className="before-edge" d={line(before, (n) => x(n) + step / 2, y)} />}
          {before && <path className="before" d={line(before, (n) => x(n) + step / 2, y)} />}
          {before && count <= 62 && <path className="dots" d={dots(before, (n) => x(n) + step / 2, y)} />}
          {ticks(count, inner.width).map((n) => (
            <text key={n} className="mark" x={x(n) + step / 2} y={HEIGHT - 8} textAnchor="middle">
              {report.series[n] && names.short(report.series[n].start_datetime)}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  )
}

function moved(key: string, at: number | undefined, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const from = at ?? count - 1
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, from - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(count - 1, from + 1)
  return undefined
}

/** The selected step and its comparison; `whole` for screen readers. */
function stepSentence<F>(report: Course<F>, metric: Metric<F>, at: number | undefined, whole = false): string {
  const { series, totals, previous, currency } = report
  const step = at === undefined ? undefined : series[at]
  if (at !== undefined && !step) return t('Not in this period.')
  const now = metric.of(step ?? totals)
  const step_before = at === undefined ? previous?.totals : previous?.series[at]
  const before = step_before && metric.of(step_before)
  const compared = previous ? change(metric, now, before) : ''
  const named = step ? stepNames(report).long(step.start_datetime) : t('in total')
  const said = [named, ...(compared ? [compared] : [])].join(', ')
  if (!whole) return said
  const values = { step: said, now: written(metric, now, currency) }
  if (!previous) return t('{step}: {now}', values)
  return t('{step}: {now}, before {before}', { ...values, before: written(metric, before, currency) })
}

/** A mark of the axis, short enough to stand beside it. */
function short(metric: Pick<Metric, 'form'>, mark: number): string {
  if (metric.form === 'share') return percent(mark, { maximumFractionDigits: 0 })
  return number(mark, { notation: 'compact', maximumFractionDigits: 1 })
}

type Scale = (value: number) => number

/** A column of a period of few steps is no wall. */
const WIDEST_COLUMN = 96

function columns(values: readonly (number | undefined)[], x: Scale, y: Scale, step: number): string {
  const gap = Math.max(step > 6 ? Math.min(4, step * 0.2) : 0, step - WIDEST_COLUMN)
  return values
    .map((value, n) =>
      value ? `M${at2(x(n) + gap / 2)} ${at2(y(0))}V${at2(y(value))}h${at2(step - gap)}V${at2(y(0))}z` : '',
    )
    .join('')
}

function line(values: readonly (number | undefined)[], x: Scale, y: Scale): string {
  let pen = 'M'
  return values
    .map((value, n) => {
      if (value === undefined) {
        pen = 'M'
        return ''
      }
      const drawn = `${pen}${at2(x(n))} ${at2(y(value))}`
      pen = 'L'
      return drawn
    })
    .join('')
}

function dots(values: readonly (number | undefined)[], x: Scale, y: Scale): string {
  return values
    .map((value, n) =>
      value === undefined ? '' : `M${at2(x(n) - 2.5)} ${at2(y(value))}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0`,
    )
    .join('')
}

const at2 = (value: number) => Math.round(value * 100) / 100

/** Drawn at the actual size in pixels, so that text is not scaled. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return [box, width] as const
}
