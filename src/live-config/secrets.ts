import { isRecord } from '../values/record.ts'
import type { EntryKind, EntrySettings } from './schema.ts'

/** Secrets of an entry by their path, such as `binds.1.password`. */
export type Secrets = ReadonlyMap<string, string>

/** The fields with secrets, by the kind of carrier; `*` stands for every item or name. Routes have none. */
export const SECRET_FIELDS: Readonly<Record<string, readonly string[]>> = {
  simulator: [],
  smpp: ['password', 'binds.*.password'],
  whatsapp_cloud: ['access_token', 'app_secrets.*', 'verify_token'],
  http: ['credentials.*'],
  phone: [],
}

/** Stands for the stored secret of this path in answers and exports, and keeps it in a change. */
export function placeholderOf(path: string): string {
  return `<secret ${path}>`
}

const PLACEHOLDER = /^<secret (.{1,300})>$/s

/** The settings with placeholders, and the secrets that they stand for. */
export function takeSecrets(kind: EntryKind, settings: EntrySettings): { settings: EntrySettings; secrets: Secrets } {
  const secrets = new Map<string, string>()
  const masked = replaceSecrets(kind, settings, (path, secret) => {
    secrets.set(path, secret)
    return placeholderOf(path)
  })
  return { settings: masked, secrets }
}

/** The settings with the secrets in place of their placeholders, and the paths of placeholders that stand for none. */
export function putSecrets(
  kind: EntryKind,
  settings: EntrySettings,
  secrets: Secrets,
): { settings: EntrySettings; missing: string[] } {
  const missing: string[] = []
  const opened = replaceSecrets(kind, settings, (path, text) => {
    const named = PLACEHOLDER.exec(text)?.[1]
    if (named === undefined) return text
    const secret = secrets.get(named)
    if (secret === undefined) missing.push(path)
    return secret ?? text
  })
  return { settings: opened, missing }
}

type Replace = (path: string, secret: string) => string

function replaceSecrets(kind: EntryKind, settings: EntrySettings, replace: Replace): EntrySettings {
  const fields = kind === 'carrier' && typeof settings.kind === 'string' ? fieldsOf(settings.kind) : []
  return fields.reduce((value, field) => {
    const next = replaceAt(value, field.split('.'), [], replace)
    return isRecord(next) ? next : value
  }, settings)
}

function fieldsOf(kind: string): readonly string[] {
  return (Object.hasOwn(SECRET_FIELDS, kind) && SECRET_FIELDS[kind]) || []
}

/** A copy with what is at the field replaced. Values that are no text are left to the validation. */
function replaceAt(
  value: unknown,
  [part, ...rest]: readonly string[],
  path: readonly string[],
  replace: Replace,
): unknown {
  if (part === undefined) return typeof value === 'string' ? replace(path.join('.'), value) : value
  const matches = (name: string): boolean => part === '*' || part === name
  const next = (name: string, own: unknown): unknown =>
    matches(name) ? replaceAt(own, rest, [...path, name], replace) : own
  if (Array.isArray(value)) return value.map((own: unknown, n) => next(String(n), own))
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, own]) => [name, next(name, own)]))
    : value
}
