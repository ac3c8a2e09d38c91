import type { Template } from '../../../../src/templates/schema.ts'
import { phoneText } from '../../ui/Phone.tsx'
import { placeholdersIn, type Draft } from './draft.ts'
import { readRecipients } from './recipients.ts'

/** More rows than this are better sent to a smartlist, or through the API. */
const MOST_ROWS = 50

type Props = { draft: Draft; change: (part: Partial<Draft>) => void; template: Template | undefined }

/** A value for each placeholder and recipient; the first row is for all who have none of their own. */
export function ValuesPart({ draft, change, template }: Props) {
  const placeholders = placeholdersIn(draft, template)
  const { numbers } = readRecipients(draft.recipients)
  if (placeholders.length === 0) return null
  function set(number: string, name: string, value: string) {
    change({ values: { ...draft.values, [number]: { ...draft.values[number], [name]: value } } })
  }
  const rows = ['', ...numbers.slice(0, MOST_ROWS)]
  return (
    <div className="field">
      <p id="values-title" className="send-label">
        Values
      </p>
      <div className="values" role="table" aria-labelledby="values-title">
        <div role="row" className="values-row">
          <span role="columnheader">Recipient</span>
          {placeholders.map(({ name }) => (
            <span role="columnheader" key={name}>
              {name}
            </span>
          ))}
        </div>
        {rows.map((number) => (
          <div role="row" className="values-row" key={number}>
            <span role="rowheader">{number === '' ? 'Everybody' : phoneText(number)}</span>
            {placeholders.map((placeholder) => (
              <span role="cell" key={placeholder.name}>
                <input
                  aria-label={`${placeholder.name} for ${number === '' ? 'everybody' : number}`}
                  placeholder={
                    number === '' ? (placeholder.default ?? '') : (draft.values['']?.[placeholder.name] ?? '')
                  }
                  value={draft.values[number]?.[placeholder.name] ?? ''}
                  onChange={(event) => set(number, placeholder.name, event.target.value)}
                />
              </span>
            ))}
          </div>
        ))}
      </div>
      {numbers.length > MOST_ROWS && (
        <p className="hint">
          The first {MOST_ROWS} are shown; the others get what everybody gets. For values of their own, keep them as
          contacts and send to a smartlist.
        </p>
      )}
    </div>
  )
}
