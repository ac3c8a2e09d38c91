import type { OtpSettingsAnswer as OrganisationOtpSettings } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useRead, useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Pending } from '../../ui/Empty.tsx'
import { AreaField, CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/otp/settings'

export function OtpSettings() {
  const found = useRead(PATH)
  return (
    <Section title={t('One-time passwords')}>
      <Pending read={found} />
      {found.data && <Editor settings={found.data} />}
    </Section>
  )
}

type Draft = {
  template: string
  origin: string
  channel: string
  after_s: string
  resend_s: string
  late: boolean
  times: string
}

function Editor({ settings }: { settings: OrganisationOtpSettings }) {
  const say = useSay()
  const draft = useDraft<Draft>('otp-settings', {
    template: settings.template,
    origin: settings.origin ?? '',
    channel: settings.fallback_channel ?? '',
    after_s: String(settings.fallback_after_s ?? 30),
    resend_s: String(settings.resend_after_s ?? ''),
    late: settings.resend_when_late,
    times: String(settings.resend_times),
  })
  const [{ template, origin, channel, after_s, resend_s, late, times }, change, forget] = draft
  const resends = resend_s.trim() !== ''
  const save = useWrite(async () => {
    await call('PATCH', PATH, {
      template: template || null,
      origin: origin || null,
      fallback_channel: channel || null,
      fallback_after_s: channel ? Number(after_s) : null,
      resend_after_s: resends ? Number(resend_s) : null,
      resend_when_late: resends && late,
      resend_times: resends ? Number(times) : 1,
    })
    forget({ template, origin, channel, after_s, resend_s, late, times })
  }, [PATH])
  return (
    <Form
      error={save.error}
      draft={draft}
      onSubmit={() => save.mutate(undefined, { onSuccess: () => say(t('Settings saved.')) })}
      label={t('Settings of one-time passwords')}
    >
      <AreaField
        name="template"
        label={t('Text')}
        rows={3}
        hint={t('With {{token}}, {{minutes}} and {{sender}}. Leave empty to use the default text.')}
        value={template}
        onChange={(next) => change({ template: next })}
      />
      <div className="fields">
        <TextField
          name="origin"
          label={t('Domain')}
          optional
          hint={t('Phones autofill the code on this domain.')}
          placeholder="example.com"
          value={origin}
          onChange={(next) => change({ origin: next })}
        />
        <SelectField
          name="fallback_channel"
          label={t('Second channel')}
          hint={t('The channel on which another token is sent if the first is not delivered in time.')}
          value={channel}
          onChange={(next) => change({ channel: next })}
          choices={[
            { value: '', label: t('none||no channel') },
            { value: 'sms', label: 'SMS' },
            { value: 'whatsapp', label: 'WhatsApp' },
          ]}
        />
        <TextField
          name="fallback_after_s"
          label={t('After (seconds)')}
          inputMode="numeric"
          disabled={channel === ''}
          value={after_s}
          onChange={(next) => change({ after_s: next })}
        />
        <TextField
          name="resend_after_s"
          label={t('Next carrier after (seconds)')}
          optional
          hint={t(
            'Sends another token through the next carrier if no delivery report has arrived. Charged as a message.',
          )}
          inputMode="numeric"
          value={resend_s}
          onChange={(next) => change({ resend_s: next })}
        />
        {resends && (
          <SelectField
            name="resend_times"
            label={t('Further tokens at most')}
            hint={t('Each through another carrier, if the message before it was not delivered in time.')}
            value={times}
            onChange={(next) => change({ times: next })}
            choices={['1', '2', '3'].map((value) => ({ value, label: value }))}
          />
        )}
      </div>
      {resends && (
        <CheckField
          name="resend_when_late"
          label={t('Next carrier as soon as the report is late')}
          hint={t(
            'When 95% of the reports for the same operator would have arrived, by those of the last 24 hours. The seconds above are the longest wait.',
          )}
          checked={late}
          onChange={(next) => change({ late: next })}
        />
      )}
      <FormActions>
        <Button look="main" type="submit" busy={save.isPending}>
          {t('Save')}
        </Button>
      </FormActions>
    </Form>
  )
}
