import { amountOrNull, writtenAmount } from '../../../ui/Money.tsx'

/** A carrier or route as in the configuration file. */
export type Settings = Readonly<Record<string, unknown>>

/** What is at a path such as `profile.alphabet`; undefined if there is nothing. */
export function valueAt(settings: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isSettings(value) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined),
      settings,
    )
}

/** A copy with another value at the path; undefined removes it, and objects that it leaves empty. */
export function withValue(settings: Settings, path: string, value: unknown): Settings {
  const [name = '', ...rest] = path.split('.')
  const { [name]: own, ...others } = settings
  const next = rest.length === 0 ? value : withValue(isSettings(own) ? own : {}, rest.join('.'), value)
  const is_gone = next === undefined || (rest.length > 0 && isSettings(next) && Object.keys(next).length === 0)
  if (is_gone) return others
  return Object.hasOwn(settings, name) ? { ...settings, [name]: next } : { ...others, [name]: next }
}

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value in a field of text, with numbers as the language writes them. */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return writtenAmount(value)
  return typeof value === 'string' ? value : value === true ? 'true' : ''
}

/** What a field of text stands for; undefined if it is empty. What is no number goes out as it was typed. */
export function numberIn(text: string): number | string | undefined {
  return amountOrNull(text) ?? undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
