import { listsOf, sectionsOf, type CarrierField, type Preset } from './carrier-fields.ts'
import { isSettings, listOf, numberIn, textOf, valueAt, withValue, type Settings } from './settings.ts'

export type Row = Readonly<Record<string, string>>
type Rows = Readonly<Record<string, readonly Row[]>>

/** What is typed, by the path of the field. Drafts are kept without `secret`. */
export type CarrierDraft = {
  kind: string
  name: string
  preset: string
  values: Row
  lists: Rows
  secret: { values: Row; lists: Rows }
}

/** The values of all fields that this kind may have; secrets that are stored are placeholders. */
export function carrierDraft(settings: Settings): CarrierDraft {
  const kind = textOf(settings.kind) || 'smpp'
  const fields = sectionsOf(kind, undefined, settings).flatMap((section) => section.fields)
  const read = (own: readonly CarrierField[]): Row =>
    Object.fromEntries(own.map((field) => [field.path, typed(field, valueAt(settings, field.path))]))
  const lists = listsOf(kind).map(({ path, columns }) => {
    const rows = listOf(valueAt(settings, path)).map((row) =>
      Object.fromEntries(
        columns.map((column) => [column.path, typed(column, column.path ? valueAt(row, column.path) : row)]),
      ),
    )
    return { path, is_secret: columns.some(isSecret), rows }
  })
  const listed = (is_secret: boolean): Rows =>
    Object.fromEntries(lists.filter((list) => list.is_secret === is_secret).map(({ path, rows }) => [path, rows]))
  return {
    kind,
    name: textOf(settings.name),
    preset: textOf(settings.preset),
    values: read(fields.filter((field) => !isSecret(field))),
    lists: listed(false),
    secret: { values: read(fields.filter(isSecret)), lists: listed(true) },
  }
}

/** The settings with what the form has; fields that only JSON has are kept. */
export function carrierSettings(draft: CarrierDraft, base: Settings, preset: Preset | undefined): Settings {
  const { kind, name } = draft
  let settings: Settings = { ...base, kind, name }
  if (kind === 'http') {
    settings = withValue(settings, 'preset', draft.preset || undefined)
    // Another vendor has other credentials and options.
    if (preset) settings = withValue(withValue(settings, 'credentials', undefined), 'options', undefined)
  }
  const fields = sectionsOf(kind, preset, base).flatMap((section) => section.fields)
  for (const field of fields) {
    if (isLeftToJson(field, base)) continue
    const is_hidden = field.within !== undefined && draft.values[field.within] !== 'true'
    settings = withValue(settings, field.path, is_hidden ? undefined : meant(field, valueOf(draft, field), base))
  }
  for (const { path } of fields.filter(({ form }) => form === 'switch')) {
    if (draft.values[path] === 'true' && valueAt(settings, path) === undefined) settings = withSwitch(settings, path)
  }
  for (const { path, columns } of listsOf(kind)) {
    const rows = rowsOf(draft, path, columns).map((row) => rowSettings(row, columns))
    settings = withValue(settings, path, rows.length > 0 ? rows : undefined)
  }
  return settings
}

/** What is typed into a field; a choice that was not made is the default. */
export function valueOf(draft: CarrierDraft, field: CarrierField): string {
  const values = isSecret(field) ? draft.secret.values : draft.values
  return values[field.path] ?? typed(field, undefined)
}

export function rowsOf(draft: CarrierDraft, path: string, columns: readonly CarrierField[]): readonly Row[] {
  const lists = columns.some(isSecret) ? draft.secret.lists : draft.lists
  return lists[path] ?? []
}

/** A value that is no text or number, such as a list of binds that differ. */
export function isLeftToJson({ path, form }: CarrierField, base: Settings): boolean {
  const value = valueAt(base, path)
  return form !== 'switch' && (Array.isArray(value) || isSettings(value))
}

export function isSecret({ form }: CarrierField): boolean {
  return form === 'secret'
}

function typed({ form, choices }: CarrierField, value: unknown): string {
  if (form === 'switch') return isSettings(value) ? 'true' : ''
  return textOf(value) || (choices?.[0]?.value ?? '')
}

/** The value in the settings; undefined for what is empty, or a default that was not written out before. */
function meant({ path, form, choices }: CarrierField, text: string, base: Settings): unknown {
  switch (form) {
    case 'number':
      return numberIn(text)
    case 'check':
      return text === 'true' ? true : undefined
    case 'switch':
      return text === 'true' ? valueAt(base, path) : undefined
    case 'choice':
      return text === choices?.[0]?.value && valueAt(base, path) === undefined ? undefined : text
    case 'secret':
      return text || undefined
    case 'text':
    case 'country':
      return text.trim() || undefined
  }
}

function withSwitch(settings: Settings, path: string): Settings {
  return { ...settings, [path]: {} }
}

function rowSettings(row: Row, columns: readonly CarrierField[]): unknown {
  const [only] = columns
  if (only?.path === '') return row[''] ?? ''
  return columns.reduce<Settings>(
    (own, column) => withValue(own, column.path, meant(column, row[column.path] ?? '', {})),
    {},
  )
}
