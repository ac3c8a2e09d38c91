import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { BUTTONS, parametersOf, withAnother, type Button as OneButton, type Part } from './whatsapp.ts'

const MAX_BUTTONS = 10
const NEW: Omit<OneButton, 'place'> = { type: 'QUICK_REPLY', text: '', value: '', sample: '' }

const FIELDS = { URL: 'url', PHONE_NUMBER: 'phone_number', COPY_CODE: 'example' } as const
const VALUES = { URL: t('URL'), PHONE_NUMBER: t('Phone number'), COPY_CODE: t('Sample code') } as const

/** The buttons under the message. Fields have the names of the API. */
export function WhatsappButtons({ draft: { header, footer, buttons }, change }: Part) {
  const at = (header === 'none' ? 1 : 2) + (footer === '' ? 0 : 1)
  return (
    <>
      {buttons.map((button, n) => (
        <fieldset key={button.place}>
          <legend>{t('Button {number}', { number: n + 1 })}</legend>
          <OneButtonFields
            field={`components[${at}].buttons[${n}]`}
            button={button}
            change={(more) => change({ buttons: buttons.with(n, { ...button, ...more }) })}
          />
          <Button look="remove" onClick={() => change({ buttons: buttons.toSpliced(n, 1) })}>
            {t('Remove')}
          </Button>
        </fieldset>
      ))}
      {buttons.length < MAX_BUTTONS && (
        <div className="row">
          <Button icon="plus" changes onClick={() => change({ buttons: withAnother(buttons, NEW) })}>
            {t('Add a button')}
          </Button>
        </div>
      )}
    </>
  )
}

function OneButtonFields({
  field,
  button: { type, text, value, sample },
  change,
}: {
  field: string
  button: OneButton
  change: (more: Partial<OneButton>) => void
}) {
  const [parameter] = type === 'URL' ? parametersOf(value) : []
  return (
    <>
      <SelectField
        name={`${field}.type`}
        label={t('What it does')}
        value={type}
        onChange={(next) =>
          change({ type: BUTTONS.find((one) => one.value === next)?.value ?? 'QUICK_REPLY', value: '' })
        }
        choices={BUTTONS}
      />
      {type !== 'COPY_CODE' && (
        <TextField
          name={`${field}.text`}
          label={t('Label||of a button')}
          hint={t('Up to 25 characters.')}
          value={text}
          onChange={(next) => change({ text: next })}
        />
      )}
      {type !== 'QUICK_REPLY' && (
        <TextField
          name={`${field}.${FIELDS[type]}`}
          label={VALUES[type]}
          {...(type === 'URL' ? { hint: t('May end with the parameter {{1}}.') } : {})}
          value={value}
          onChange={(next) => change({ value: next })}
        />
      )}
      {parameter !== undefined && (
        <TextField
          name={`${field}.example`}
          label={t('Sample for {name}', { name: parameter })}
          value={sample}
          onChange={(next) => change({ sample: next })}
        />
      )}
    </>
  )
}
