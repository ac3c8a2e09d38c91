import type { ReactNode } from 'react'
import type { Bind, BindFigures } from '../../api-types.ts'
import { number, t } from '../../text/text.ts'
import { LiveBadge } from '../../ui/Badge.tsx'
import { duration } from '../../ui/Time.tsx'
import { answeredWithin } from './binds.ts'

/** The state in a word, and what keeps it from being bound. */
export function State({ bind }: { bind: Bind }) {
  const { reason = null, retry_in_ms = null } = bind.figures ?? {}
  const said = bind.holder === null ? t('no process holds it') : reason
  const again = retry_in_ms === null ? '' : t('retry in {time}', { time: duration(retry_in_ms) })
  const sentence = [said, again].filter(Boolean).join(', ')
  return (
    <>
      <LiveBadge status={bind.state} />
      {bind.state !== 'bound' && sentence && <span className="soft small"> {sentence}</span>}
    </>
  )
}

export function rateText({ rate }: BindFigures): string {
  if (rate === null) return t('unlimited')
  return t('{rate} per second', { rate: number(rate, { maximumFractionDigits: 1 }) })
}

/** Half of the answers, and nearly all of them. */
export function latencyText({ latency_ms }: BindFigures): string {
  const half = answeredWithin(latency_ms, 0.5)
  const most = answeredWithin(latency_ms, 0.95)
  if (half === undefined || most === undefined) return '–'
  return half === most ? within(half) : t('{half}, 95 % {most}', { half: within(half), most: within(most) })
}

const within = (ms: number | null) => (ms === null ? t('over 30 s') : `≤ ${duration(ms)}`)

export function Errors({ figures }: { figures: BindFigures }): ReactNode {
  const errors = Object.entries(figures.errors).sort(([, a], [, b]) => b - a)
  if (errors.length === 0) return t('none||errors')
  return errors.map(([status, count]) => (
    <span key={status} className="carriers-error">
      <span className="mono">{status}</span> {number(count)}
    </span>
  ))
}
