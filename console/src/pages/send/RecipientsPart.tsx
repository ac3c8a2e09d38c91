import type { ReactNode } from 'react'
import { Link } from '../../router.tsx'
import { plural, Rich, t } from '../../text/text.ts'
import { AreaField } from '../../ui/fields.tsx'
import type { Draft } from './draft.ts'
import { readRecipients } from './recipients.ts'

/** To whom: numbers as they come from anywhere. */
export function RecipientsPart({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { numbers, duplicates } = readRecipients(draft.recipients)
  return (
    <AreaField
      name="recipients"
      label={t('Recipients')}
      rows={3}
      placeholder={'0803 123 4567, +234 805 123 4567'}
      spellCheck={false}
      entries={numbers}
      hint={
        numbers.length === 0 ? (
          <Rich
            text="One or many, separated by commas or on lines of their own. For a smartlist or a file make a <link>campaign</link>."
            link={(inner: ReactNode) => <Link to="/campaigns/new">{inner}</Link>}
          />
        ) : (
          counted(numbers.length, duplicates)
        )
      }
      value={draft.recipients}
      onChange={(recipients) => change({ recipients })}
    />
  )
}

function counted(count: number, duplicates: number): string {
  if (duplicates === 0) return plural(count, '{n} number.', '{n} numbers.')
  return plural(
    count,
    '{n} number, {duplicates} given twice and sent once.',
    '{n} numbers, {duplicates} given twice and sent once.',
    { duplicates },
  )
}
