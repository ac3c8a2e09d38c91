import { t } from '../../text/text.ts'

export const DEFAULT_HOURS = 24

export const PERIODS = [
  { hours: 2, label: t('Last 2 hours') },
  { hours: 6, label: t('Last 6 hours') },
  { hours: DEFAULT_HOURS, label: t('Last 24 hours') },
  { hours: 72, label: t('Last 3 days') },
  { hours: 168, label: t('Last 7 days') },
  { hours: 720, label: t('Last 30 days') },
]
export const CHANNELS = [
  { value: '', label: t('All channels') },
  { value: 'sms', label: 'SMS' },
  { value: 'whatsapp', label: 'WhatsApp' },
]
export const CLASSES = [
  { value: '', label: t('All messages') },
  { value: 'otp', label: t('One-time passwords') },
  { value: 'other', label: t('Other messages') },
]

export type Filters = {
  hours: number
  channel: string | undefined
  class: string | undefined
  country: string | undefined
}

/** What the address says; what it cannot say is as if it said nothing. */
export function readFilters(query: Record<string, string>): Filters {
  const listed = (choices: readonly { value: string }[], given: string | undefined) =>
    given !== '' && choices.some(({ value }) => value === given) ? given : undefined
  return {
    hours: PERIODS.find(({ hours }) => String(hours) === query.hours)?.hours ?? DEFAULT_HOURS,
    channel: listed(CHANNELS, query.channel),
    class: listed(CLASSES, query.class),
    country: /^[A-Z]{2}$/.test(query.country ?? '') ? query.country : undefined,
  }
}
