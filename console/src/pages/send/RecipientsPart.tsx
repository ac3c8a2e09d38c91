import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { AreaField, Segments, SelectField } from '../../ui/fields.tsx'
import type { Draft } from './draft.ts'
import { readRecipients } from './recipients.ts'

/** To whom: numbers as they come from anywhere, or a list that is kept. */
export function RecipientsPart({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { numbers, duplicates } = readRecipients(draft.recipients)
  return (
    <div className="stack">
      <Segments
        label="To whom"
        value={draft.audience}
        onChange={(audience) => change({ audience })}
        choices={[
          { value: 'numbers', label: 'Numbers' },
          { value: 'smartlist', label: 'A smartlist' },
        ]}
      />
      {draft.audience === 'smartlist' ? (
        <SmartlistChoice draft={draft} change={change} />
      ) : (
        <AreaField
          name="recipients"
          label="Recipients"
          rows={3}
          placeholder={'0803 123 4567, +234 805 123 4567'}
          spellCheck={false}
          entries={numbers}
          hint={
            numbers.length === 0
              ? 'One or many, separated by commas or on lines of their own.'
              : `${numbers.length.toLocaleString('en')} ${numbers.length === 1 ? 'number' : 'numbers'}${
                  duplicates > 0 ? `, ${duplicates} given twice and sent once` : ''
                }.`
          }
          value={draft.recipients}
          onChange={(recipients) => change({ recipients })}
        />
      )}
    </div>
  )
}

function SmartlistChoice({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const found = useRead('/lists/contact/smartlists?limit=200')
  const chosen = useRead(draft.smartlist_id === '' ? null : `/lists/contact/smartlists/${draft.smartlist_id}`)
  const smartlists = found.data?.smartlists ?? []
  return (
    <SelectField
      name="smartlist_id"
      label="Smartlist"
      value={draft.smartlist_id}
      onChange={(smartlist_id) => change({ smartlist_id })}
      hint={
        found.data && smartlists.length === 0 ? (
          <>
            There is none yet. Filter your <Link to="/contacts">contacts</Link> and keep the filter.
          </>
        ) : chosen.data ? (
          `${chosen.data.count.toLocaleString('en')} contacts at this moment. {{Name}} in the text is filled from the column of that name.`
        ) : (
          'It holds whoever its filters hold for when the message leaves.'
        )
      }
      choices={[{ value: '', label: 'Choose one' }, ...smartlists.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
