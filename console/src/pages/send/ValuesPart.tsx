import type { Template } from '../../../../clients/typescript/src/types.ts'
import type { Fault } from '../../../../clients/typescript/src/errors.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { useFaults } from '../../ui/Form.tsx'
import { phoneText, typedNumber } from '../../ui/Phone.tsx'
import { placeholdersIn, type Draft } from './draft.ts'

/** More rows than this are better sent to a smartlist, or through the API. */
const MOST_ROWS = 50

const MOST_FAULTS = 5

type Props = {
  draft: Draft
  /** In the order of the request. */
  numbers: readonly string[]
  change: (part: Partial<Draft>) => void
  template: Template | undefined
}

/** Values by placeholder and recipient; the first row holds the defaults. */
export function ValuesPart({ draft, numbers, change, template }: Props) {
  const { organisation } = useSession()
  const faults = useFaults('personalisation')
  const nameOf = (number: string) => phoneText(typedNumber(number, organisation.default_country) ?? number)
  const placeholders = placeholdersIn(draft, template)
  if (placeholders.length === 0) return null
  function set(number: string, name: string, value: string) {
    change({ values: { ...draft.values, [number]: { ...draft.values[number], [name]: value } } })
  }
  const rows = ['', ...numbers.slice(0, MOST_ROWS)]
  return (
    <div className="field">
      <p id="values-title" className="send-label">
        {t('Values')}
      </p>
      <div className="values" role="table" aria-labelledby="values-title">
        <div role="row" className="values-row">
          <span role="columnheader">{t('Recipient')}</span>
          {placeholders.map(({ name }) => (
            <span role="columnheader" key={name}>
              {name}
            </span>
          ))}
        </div>
        {rows.map((number) => (
          <div role="row" className="values-row" key={number}>
            <span role="rowheader">{number === '' ? t('Everyone') : nameOf(number)}</span>
            {placeholders.map((placeholder) => (
              <span role="cell" key={placeholder.name}>
                <input
                  name="personalisation"
                  aria-invalid={isAbout(faults, numbers.indexOf(number), placeholder.name) || undefined}
                  aria-label={
                    number === ''
                      ? t('{name} for everyone', { name: placeholder.name })
                      : t('{name} for {number}', { name: placeholder.name, number })
                  }
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
      {faults.length > 0 && (
        <ul className="faults">
          {faults.slice(0, MOST_FAULTS).map(({ field, message }) => (
            <li key={field}>{t('{name}: {value}', { name: nameOf(numbers[placeIn(field)] ?? ''), value: message })}</li>
          ))}
        </ul>
      )}
      {numbers.length > MOST_ROWS && (
        <p className="hint">
          {t(
            'The first {n} are shown; the others get the default values. For individual values, save them as contacts and send to a smartlist.',
            { n: MOST_ROWS },
          )}
        </p>
      )}
    </div>
  )
}

/** Which of the recipients a fault such as `personalisation[0].substitutions.order` is about. */
function placeIn(field: string): number {
  return Number(/\[(\d+)\]/.exec(field)?.[1] ?? -1)
}

function isAbout(faults: readonly Fault[], place: number, name: string): boolean {
  return place >= 0 && faults.some(({ field }) => placeIn(field) === place && field.endsWith(`.${name}`))
}
