import { t } from '../../../text/text.ts'
import { SelectField } from '../../../ui/fields.tsx'
import { ListField } from '../../../ui/ListField.tsx'

const MOST_CARRIERS = 10

type Props = {
  name: string
  carriers: readonly string[]
  known: readonly string[]
  onChange: (carriers: string[]) => void
}

/** The carriers of a route in the order in which they are tried. */
export function CarrierOrder({ name, carriers, known, onChange }: Props) {
  const others = known.filter((carrier) => !carriers.includes(carrier))
  return (
    <ListField
      name={name}
      legend={t('Carriers, in the order in which they are tried')}
      entries={carriers}
      keyOf={(carrier) => carrier}
      onChange={onChange}
      remove={(carrier) => t('Remove {name}', { name: carrier })}
      moved={(carrier) => carrier}
      add={
        others.length > 0 &&
        carriers.length < MOST_CARRIERS && (
          <SelectField
            name="add_carrier"
            label={carriers.length === 0 ? t('First carrier') : t('Another carrier')}
            value=""
            onChange={(carrier) => onChange([...carriers, carrier])}
            choices={[
              { value: '', label: t('Choose one') },
              ...others.map((carrier) => ({ value: carrier, label: carrier })),
            ]}
          />
        )
      }
    >
      {(carrier) => <span>{carrier}</span>}
    </ListField>
  )
}
