import { t } from '../../text/text.ts'

const DAY_MS = 86_400_000

/** Stretches of days that people ask for by name. */
export const PRESETS = [
  { value: 'today', label: t('Today') },
  { value: 'yesterday', label: t('Yesterday') },
  { value: 'week', label: t('Last 7 days') },
  { value: 'days', label: t('Last 30 days') },
  { value: 'month', label: t('This month') },
  { value: 'last_month', label: t('Last month') },
  { value: 'year', label: t('Last 365 days') },
  { value: 'other', label: t('Custom period') },
] as const
export type Preset = (typeof PRESETS)[number]['value']

export type Days = { from: string; until: string }

/** The date that calendars show where the organisation is. */
export function dateIn(time_zone: string, moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: time_zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(moment)
}

/** The days of a preset, counted from today. */
export function daysOf(preset: Exclude<Preset, 'other'>, today: string): Days {
  const first = `${today.slice(0, 8)}01`
  switch (preset) {
    case 'today':
      return { from: today, until: today }
    case 'yesterday':
      return { from: later(today, -1), until: later(today, -1) }
    case 'week':
      return { from: later(today, -6), until: today }
    case 'days':
      return { from: later(today, -29), until: today }
    case 'month':
      return { from: first, until: today }
    case 'last_month':
      return { from: `${later(first, -1).slice(0, 8)}01`, until: later(first, -1) }
    case 'year':
      return { from: later(today, -364), until: today }
  }
}

/** The default interval, so that there are a few dozen steps. */
export function usualInterval({ from, until }: Days): 'hour' | 'day' | 'month' {
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS + 1
  if (days <= 2) return 'hour'
  return days <= 92 ? 'day' : 'month'
}

function later(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
