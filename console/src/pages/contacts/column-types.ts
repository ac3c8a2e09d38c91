import { t } from '../../text/text.ts'
import type { Choice } from '../../ui/select/choice.ts'
import type { Column } from './contacts.ts'

export const TYPES: Record<Column['type'], string> = {
  TEXT: t('Text'),
  NUMBER: t('Number||kind of a column'),
  DATE: t('Date'),
  'PHONE NUMBER': t('Phone number'),
  EMAIL: t('Email'),
  URL: t('Link'),
  SELECT: t('Choice||kind of a column'),
  'MULTI SELECT': t('Choices||kind of a column'),
}

export const TYPE_CHOICES: readonly Choice[] = Object.entries(TYPES).map(([value, label]) => ({ value, label }))

/** How numbers and dates may be written in a file or a cell. */
export function formatChoices(type: string | undefined): readonly Choice[] {
  if (type === 'NUMBER') return ['1,234.5', '1.234,5'].map((value) => ({ value, label: value }))
  if (type !== 'DATE') return []
  return [
    { value: 'YYYY-MM-DD', label: t('2026-12-25, 25 Dec 2026') },
    { value: 'DD/MM/YYYY', label: t('day first: 25/12/2026') },
    { value: 'MM/DD/YYYY', label: t('month first: 12/25/2026') },
  ]
}
