import type { ReactNode } from 'react'
import type { OrganisationSettingsAnswer as SettingsAnswer } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useRead, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession, withSettings } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CountryField } from '../../ui/select/CountryField.tsx'
import { Pending } from '../../ui/Empty.tsx'
import { DateField } from '../../ui/date/DateField.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { amountOrNull, writtenAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { OtpSettings } from './OtpSettings.tsx'

const PATH = '/settings'

/** How the organisation sends. */
export default function Settings() {
  const found = useRead(PATH)
  return (
    <Page title={t('Settings')} lead={t('Changes take effect within a second, in the console and the API.')}>
      <Pending read={found} />
      {found.data && <Organisation settings={found.data} />}
      <OtpSettings />
    </Page>
  )
}

function Organisation({ settings }: { settings: SettingsAnswer }) {
  const say = useSay()
  const { session, organisation, enter } = useSession()
  const kept = useDraft('settings', {
    name: settings.name,
    default_country: settings.default_country,
    default_sender_id: settings.default_sender_id ?? '',
    inbound_url: settings.inbound_url ?? '',
    quiet_from: settings.quiet_from ?? '',
    quiet_until: settings.quiet_until ?? '',
    smart_encoding: settings.smart_encoding,
    whatsapp_fallback: settings.whatsapp_fallback,
    low_balance: writtenAmount(settings.low_balance),
    time_zone: settings.time_zone,
    confirm_above: String(settings.confirm_above),
  })
  const [draft, change, forget] = kept
  const save = useWrite(async () => {
    const saved_settings = await call('PATCH', PATH, {
      ...draft,
      default_sender_id: draft.default_sender_id || null,
      inbound_url: draft.inbound_url || null,
      quiet_from: draft.quiet_from || null,
      quiet_until: draft.quiet_until || null,
      time_zone: draft.time_zone === settings.time_zone ? undefined : draft.time_zone || null,
      low_balance: amountOrNull(draft.low_balance),
      confirm_above: typedCount(draft.confirm_above),
    })
    forget(draft)
    return saved_settings
  }, [PATH, '/balance', '/analytics'])
  function saved(answer: SettingsAnswer) {
    say(t('Settings saved.'))
    enter({ ...session, organisations: withSettings(session.organisations, organisation.id, answer) })
  }
  return (
    <Section title={t('Organisation')}>
      <Form
        error={save.error}
        draft={kept}
        onSubmit={() => save.mutate(undefined, { onSuccess: saved })}
        label={t('Settings of the organisation')}
      >
        <div className="fields">
          <TextField name="name" label={t('Name')} value={draft.name} onChange={(name) => change({ name })} />
          <CountryField
            name="default_country"
            label={t('Country')}
            hint={t('Numbers without a country code are read as numbers of this country.')}
            value={draft.default_country}
            onChange={(default_country) => change({ default_country })}
          />
          <TextField
            name="default_sender_id"
            label={t('Sender')}
            optional
            maxLength={11}
            hint={
              <Rich
                text="Used if a message names no sender. See <page>Senders</page>."
                page={(inner: ReactNode) => <Link to="/senders">{inner}</Link>}
              />
            }
            value={draft.default_sender_id}
            onChange={(default_sender_id) => change({ default_sender_id })}
          />
        </div>
        <div className="fields">
          <DateField
            kind="time"
            zone={t('recipient’s time')}
            name="quiet_from"
            label={t('Quiet from')}
            optional
            hint={t('Promotional messages are held until the morning, in the recipient’s local time.')}
            value={draft.quiet_from}
            onChange={(quiet_from) => change({ quiet_from })}
          />
          <DateField
            kind="time"
            zone={t('recipient’s time')}
            name="quiet_until"
            label={t('Quiet until')}
            optional
            value={draft.quiet_until}
            onChange={(quiet_until) => change({ quiet_until })}
          />
          <TextField
            name="inbound_url"
            label={t('URL for incoming messages')}
            optional
            type="url"
            placeholder="https://example.com/inbound"
            value={draft.inbound_url}
            onChange={(inbound_url) => change({ inbound_url })}
          />
          <TextField
            name="low_balance"
            label={t('Warn below, in {currency}', { currency: settings.currency })}
            optional
            inputMode="decimal"
            hint={t('Webhooks receive balance.low, and every page shows a warning.')}
            value={draft.low_balance}
            onChange={(low_balance) => change({ low_balance })}
          />
          <TextField
            name="confirm_above"
            label={t('Confirm above, in recipients')}
            inputMode="numeric"
            hint={t('A message to more recipients asks for confirmation, with its cost, before it is sent.')}
            value={draft.confirm_above}
            onChange={(confirm_above) => change({ confirm_above })}
          />
          <SelectField
            name="time_zone"
            label={t('Time zone')}
            hint={t('For analytics, and for all times that the console shows and that you pick.')}
            value={draft.time_zone}
            onChange={(time_zone) => change({ time_zone })}
            choices={timeZones(settings.time_zone)}
          />
        </div>
        <CheckField
          name="smart_encoding"
          label={t('Smart encoding')}
          hint={t(
            'Replaces curly quotes, dashes and similar characters with plain ones, so that a page holds 160 characters.',
          )}
          checked={draft.smart_encoding}
          onChange={(smart_encoding) => change({ smart_encoding })}
        />
        <CheckField
          name="whatsapp_fallback"
          label={t('Fall back to SMS')}
          hint={t('If a WhatsApp message cannot be delivered, it is also sent by SMS.')}
          checked={draft.whatsapp_fallback}
          onChange={(whatsapp_fallback) => change({ whatsapp_fallback })}
        />
        <FormActions>
          <Button look="main" type="submit" busy={save.isPending}>
            {t('Save')}
          </Button>
        </FormActions>
      </Form>
    </Section>
  )
}

/** What is no whole number goes to the service as it was typed, and is refused beside its field. */
function typedCount(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text
}

/** All that the browser knows, with the offset now; those it does not know stay chosen. */
function timeZones(current: string) {
  const zones = [...new Set([current, ...Intl.supportedValuesOf('timeZone')])]
  return [
    { value: '', label: t('Of the country’s capital||time zone') },
    ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  ]
}
