import type { ImportWithFaults } from '../../../../clients/typescript/src/types.ts'
import { t } from '../../text/text.ts'
import { Select } from '../../ui/select/Select.tsx'
import { formatChoices, TYPE_CHOICES, TYPES } from './column-types.ts'

/** What the user has chosen in place of what was detected, by header. */
export type Typed = { types: Readonly<Record<string, string>>; formats: Readonly<Record<string, string>> }
export const AS_DETECTED: Typed = { types: {}, formats: {} }

type ImportField = ImportWithFaults['columns'][number]

/** Ambiguous dates whose format is not chosen; taken as text, they need none. */
export function isOpen({ header, detected }: ImportField, { types, formats }: Typed): boolean {
  return detected !== undefined && types[header] === undefined && formats[header] === undefined
}

/** The kind of the values of a header, and how they are written; the kind of a new column can be changed. */
export function ImportType({
  field: { header, type, format, detected, is_new },
  typed,
  onType,
}: {
  field: ImportField
  typed: Typed
  onType: (typed: Typed) => void
}) {
  if (type === undefined) return null
  const kind = typed.types[header] ?? detected ?? type
  const formats = formatChoices(kind)
  const written = typed.formats[header] ?? (kind === type ? format : undefined) ?? ''
  function choose(next: string) {
    const { [header]: _format, ...others } = typed.formats
    onType({ types: { ...typed.types, [header]: next }, formats: others })
  }
  return (
    <div className="row columns-actions">
      {is_new ? (
        <Select label={t('Type of {header}', { header })} value={kind} onChange={choose} choices={TYPE_CHOICES} />
      ) : (
        TYPES[type]
      )}
      {formats.length > 0 && (
        <Select
          label={t('Format of {header}', { header })}
          value={written}
          onChange={(next) => onType({ ...typed, formats: { ...typed.formats, [header]: next } })}
          choices={[...(written === '' ? [{ value: '', label: t('Choose…') }] : []), ...formats]}
        />
      )}
    </div>
  )
}
