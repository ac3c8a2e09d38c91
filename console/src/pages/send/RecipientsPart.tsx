import { Link } from '../../router.tsx'
import { AreaField } from '../../ui/fields.tsx'
import type { Draft } from './draft.ts'
import { readRecipients } from './recipients.ts'

/** To whom: numbers as they come from anywhere. */
export function RecipientsPart({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { numbers, duplicates } = readRecipients(draft.recipients)
  return (
    <AreaField
      name="recipients"
      label="Recipients"
      rows={3}
      placeholder={'0803 123 4567, +234 805 123 4567'}
      spellCheck={false}
      entries={numbers}
      hint={
        numbers.length === 0 ? (
          <>
            One or many, separated by commas or on lines of their own. For a smartlist or a file make a{' '}
            <Link to="/campaigns/new">campaign</Link>.
          </>
        ) : (
          `${numbers.length.toLocaleString('en')} ${numbers.length === 1 ? 'number' : 'numbers'}${
            duplicates > 0 ? `, ${duplicates} given twice and sent once` : ''
          }.`
        )
      }
      value={draft.recipients}
      onChange={(recipients) => change({ recipients })}
    />
  )
}
