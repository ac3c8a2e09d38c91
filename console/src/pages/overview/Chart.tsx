import { useEffect, useRef, useState } from 'react'
import type { Series, Totals } from '../../types.ts'
import { number, t } from '../../text/text.ts'
import { written } from '../../ui/date/formats.ts'
import { useZone } from '../../ui/date/zone.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './overview.css'

const HEIGHT = 260

const LINES = [
  { name: 'accepted', title: t('Accepted||recipients'), token: '--chart-1' },
  { name: 'delivered', title: t('Delivered||recipients'), token: '--chart-2' },
  { name: 'failed', title: t('Not delivered||recipients'), token: '--chart-3' },
] as const

const EMPTY: uPlot.AlignedData = [[], [], [], []]

/** Lines over time. The legend shows the values under the pointer, or the sums while there is none. */
export function Chart({ series, range, totals }: { series: Series; range: string; totals: Totals }) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [pointed, setPointed] = useState<number | null>(null)
  const theme = useColours()
  const zone = useZone()

  // Made anew for another time or other colours; new values only move the lines, in the effect below.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const made = new uPlot(options(element, { range, zone }, setPointed), EMPTY, element)
    plot.current = made
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [range, theme, zone])
  useEffect(() => {
    plot.current?.setData([series.time, series.accepted, series.delivered, series.failed])
  }, [series, range, theme, zone])

  const ended_badly = totals.accepted === 0 ? 0 : sum(series.failed)
  return (
    <figure className="chart">
      <figcaption className="chart-legend">
        {LINES.map(({ name, title }) => (
          <span key={name} className={`chart-key ${name}`}>
            {title} <b>{number(pointed === null ? sum(series[name]) : (series[name][pointed] ?? 0))}</b>
          </span>
        ))}
        <span className="soft grow chart-when">
          {pointed === null ? t('in total') : momentName(series.time[pointed] ?? 0, { range, zone })}
        </span>
      </figcaption>
      <div
        ref={box}
        className="chart-box"
        role="img"
        aria-label={inWords(range, {
          accepted: sum(series.accepted),
          delivered: sum(series.delivered),
          failed: ended_badly,
        })}
      />
    </figure>
  )
}

type Sums = { accepted: number; delivered: number; failed: number }

/** The lines as text, for screen readers. */
function inWords(range: string, sums: Sums): string {
  if (range === 'month')
    return t('Lines over the last month: {accepted} accepted, {delivered} delivered, {failed} not delivered.', sums)
  if (range === 'day')
    return t('Lines over the last day: {accepted} accepted, {delivered} delivered, {failed} not delivered.', sums)
  return t('Lines over the last hour: {accepted} accepted, {delivered} delivered, {failed} not delivered.', sums)
}

function options(element: HTMLElement, shown: Shown, point: (index: number | null) => void): uPlot.Options {
  const soft = colour('--soft')
  const axis = { stroke: soft, font: '12px Inter, system-ui, sans-serif', ticks: { show: false } }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 20, 0, 0],
    tzDate: (time_s) => uPlot.tzDate(new Date(time_s * 1_000), shown.zone),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(4, most * 1.1)] } },
    hooks: { setCursor: [(plot) => point(plot.cursor.idx ?? null)] },
    axes: [
      {
        ...axis,
        size: 32,
        grid: { show: false },
        values: (_plot, times) => times.map((time) => tickName(time, shown)),
      },
      {
        ...axis,
        size: 48,
        grid: { stroke: colour('--line'), width: 1 },
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000],
        values: (_plot, marks) => marks.map((mark) => number(mark)),
      },
    ],
    series: [
      {},
      ...LINES.map(({ token }, index) => ({
        stroke: colour(token),
        width: 2,
        points: { show: false },
        ...(index === 0 ? { fill: `color-mix(in srgb, ${colour(token)} 8%, transparent)` } : {}),
      })),
    ],
  }
}

/** A canvas does not resolve custom properties: a hidden element does. */
function colour(token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const found = getComputedStyle(probe).color
  probe.remove()
  return found
}

/** Changes with the colour scheme, by the system or by the button. */
function useColours(): string {
  const [scheme, setScheme] = useState(() => getComputedStyle(document.body).backgroundColor)
  useEffect(() => {
    const look = () => setScheme(getComputedStyle(document.body).backgroundColor)
    const system = matchMedia('(prefers-color-scheme: dark)')
    const button = new MutationObserver(look)
    system.addEventListener('change', look)
    button.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      system.removeEventListener('change', look)
      button.disconnect()
    }
  }, [])
  return scheme
}

type Shown = { range: string; zone: string }

function tickName(time_s: number, { range, zone }: Shown): string {
  return written(time_s * 1_000, range === 'month' ? 'day' : 'clock', zone)
}

function momentName(time_s: number, { range, zone }: Shown): string {
  return written(time_s * 1_000, range === 'month' ? 'day' : 'day_clock', zone)
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
