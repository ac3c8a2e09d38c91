import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { EMPTY_APP, OTP_TYPES, withAnother, type Otp, type Part } from './whatsapp.ts'

const MAX_APPS = 5

/** What Meta lets one choose of an authentication template: it writes the text itself. Fields have the names of the API. */
export function WhatsappOtp({ draft: { otp }, change }: Part) {
  const set = (more: Partial<Otp>) => change({ otp: { ...otp, ...more } })
  const at = otp.expires_min.trim() === '' ? 1 : 2
  const button = `components[${at}].buttons[0]`
  return (
    <>
      <CheckField
        name="components[0].add_security_recommendation"
        label={t('Advise the recipient not to share the code')}
        hint={t('Meta writes the text of authentication templates, in the language of the template.')}
        checked={otp.has_advice}
        onChange={(has_advice) => set({ has_advice })}
      />
      <TextField
        name="components[1].code_expiration_minutes"
        label={t('The code expires after, in minutes')}
        optional
        inputMode="numeric"
        hint={t('1 to 90; shown under the text.')}
        value={otp.expires_min}
        onChange={(expires_min) => set({ expires_min })}
      />
      <SelectField
        name={`${button}.otp_type`}
        label={t('The button')}
        value={otp.otp_type}
        onChange={(next) => set({ otp_type: OTP_TYPES.find(({ value }) => value === next)?.value ?? 'COPY_CODE' })}
        choices={OTP_TYPES}
      />
      <TextField
        name={`${button}.text`}
        label={t('Label||of a button')}
        optional
        hint={t('Up to 25 characters. Without one, Meta writes “Copy code” in the language of the template.')}
        value={otp.button_text}
        onChange={(button_text) => set({ button_text })}
      />
      {otp.otp_type !== 'COPY_CODE' && (
        <>
          <TextField
            name={`${button}.autofill_text`}
            label={t('Label of the button that fills in the code')}
            optional
            value={otp.autofill_text}
            onChange={(autofill_text) => set({ autofill_text })}
          />
          <Apps otp={otp} set={set} field={`${button}.supported_apps`} />
        </>
      )}
      {otp.otp_type === 'ZERO_TAP' && (
        <CheckField
          name={`${button}.zero_tap_terms_accepted`}
          label={t('We accept Meta’s terms for zero-tap authentication')}
          hint={t('Your app must tell its users that the code is filled in automatically.')}
          checked={otp.accepts_terms}
          onChange={(accepts_terms) => set({ accepts_terms })}
        />
      )}
    </>
  )
}

function Apps({ otp: { apps }, set, field }: { otp: Otp; set: (more: Partial<Otp>) => void; field: string }) {
  return (
    <>
      {apps.map((app, n) => (
        <fieldset key={app.place}>
          <legend>{t('Android app {number}', { number: n + 1 })}</legend>
          <TextField
            name={`${field}[${n}].package_name`}
            label={t('Package name')}
            placeholder="com.example.shop"
            value={app.package_name}
            onChange={(package_name) => set({ apps: apps.with(n, { ...app, package_name }) })}
          />
          <TextField
            name={`${field}[${n}].signature_hash`}
            label={t('Signing key hash')}
            hint={t('11 characters.')}
            value={app.signature_hash}
            onChange={(signature_hash) => set({ apps: apps.with(n, { ...app, signature_hash }) })}
          />
          {apps.length > 1 && (
            <Button look="remove" onClick={() => set({ apps: apps.toSpliced(n, 1) })}>
              {t('Remove')}
            </Button>
          )}
        </fieldset>
      ))}
      {apps.length < MAX_APPS && (
        <div className="row">
          <Button icon="plus" changes onClick={() => set({ apps: withAnother(apps, EMPTY_APP) })}>
            {t('Add an app')}
          </Button>
        </div>
      )}
    </>
  )
}
