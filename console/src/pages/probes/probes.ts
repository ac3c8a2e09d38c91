import type { Beginning } from '../../answers.ts'
import type { Get_console_api_probesAnswer, ShownPlan, ShownProbe } from '../../api-types.ts'
import { t } from '../../text/text.ts'
import type { Tone } from '../../ui/Badge.tsx'

export const PROBES = '/console/api/probes'
export const RESULTS = '/console/api/probe-results'

/** What is read again after a change. */
export const STALE: readonly Beginning[] = [PROBES, RESULTS, '/console/api/audit']

/** The answer to the list of plans: with the carriers and operators that a plan may name. */
export type Plans = Get_console_api_probesAnswer

/** A placeholder of a text, as it is typed. */
export const PLACEHOLDERS = { code: '{{code}}', word: '{{word}}' }

/** Why no plan can be created; undefined: one can. */
export function missingFor({ operators, carriers }: Plans): string | undefined {
  if (operators.length === 0) return t('It needs a phone that receives probes.')
  if (carriers.length === 0) return t('It needs a carrier of the kind smpp or http.')
  return undefined
}

export function planPath(name: string) {
  return `${PROBES}/${encodeURIComponent(name)}` as const
}

/** The hours of a plan, by the clocks of the country. */
export function hoursOf({ from_hour, to_hour }: Pick<ShownPlan, 'from_hour' | 'to_hour'>): string {
  return t('{from} to {to}||hours', { from: clock(from_hour), to: clock(to_hour) })
}

export function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** Whether a probe arrived. Without an answer of the carrier it may have been sent. */
export function arrivalOf({ arrived, outcome }: Pick<ShownProbe, 'arrived' | 'outcome'>): {
  words: string
  tone: Tone
} {
  if (arrived === true) return { words: t('arrived||a probe'), tone: 'good' }
  if (arrived === false) return { words: t('not arrived||a probe'), tone: 'bad' }
  if (['submitting', 'accepted', 'unknown'].includes(outcome)) return { words: t('open||a probe'), tone: 'busy' }
  return { words: t('not accepted||a probe'), tone: 'calm' }
}

/** The sender that the phone displayed, if it is another one. */
export function senderShown({ sender_id, displayed_sender }: ShownProbe): string | undefined {
  return displayed_sender === sender_id ? undefined : displayed_sender
}

export const DISPLAYED: Record<'changed' | 'part', string> = {
  changed: t('changed||a text'),
  part: t('only a part||a text'),
}

/** The carrier of the address; a name that no carrier can have is left out. */
export function readCarrier(query: Record<string, string>): string | undefined {
  return /^[a-z0-9-]{1,40}$/.test(query.carrier ?? '') ? query.carrier : undefined
}
