import type { Answers } from '../../answers.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { CheckField, CheckFields, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { ShowSecret } from './RotateSecret.tsx'
import { EVENTS, WEBHOOKS, type Webhook } from './webhooks.ts'

/** Registers an endpoint, or changes one. */
export function EditWebhook({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const say = useSay()
  const draft = useDraft(`webhook.${webhook?.id ?? 'new'}`, {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    enabled: webhook?.enabled ?? true,
    events: spelledOut(webhook?.events ?? ['*']),
    format: 'standard',
  })
  const [{ url, description, enabled, events, format }, change] = draft
  const body = { url, events: events.length === EVENTS.length ? ['*'] : events, enabled }
  const save = useWrite<void, Answers['PATCH /webhooks/{id}'] | Answers['POST /webhooks']>(
    () =>
      webhook
        ? call('PATCH', `${WEBHOOKS}/${webhook.id}`, { ...body, description: description || null })
        : call('POST', WEBHOOKS, { ...body, format, ...(description ? { description } : {}) }),
    [WEBHOOKS],
  )
  if (save.data && 'secret' in save.data) return <ShowSecret secret={save.data.secret} onClose={onClose} />
  return (
    <FormDialog
      title={webhook ? t('Change a webhook') : t('Register a webhook')}
      action={webhook ? t('Save') : t('Register')}
      write={save}
      draft={draft}
      onDone={webhook && (() => say(t('Webhook changed.')))}
      onClose={onClose}
    >
      <TextField
        name="url"
        label={t('Address')}
        type="url"
        placeholder="https://example.com/events"
        value={url}
        onChange={(next) => change({ url: next })}
      />
      <TextField
        name="description"
        label={t('Description')}
        optional
        value={description}
        onChange={(next) => change({ description: next })}
      />
      <CheckFields
        legend={t('Events')}
        choices={EVENTS}
        checked={events}
        onChange={(next) => change({ events: [...next] })}
      />
      {!webhook && (
        <SelectField
          name="format"
          label={t('Format')}
          value={format}
          onChange={(next) => change({ format: next })}
          choices={FORMATS}
        />
      )}
      <CheckField
        name="enabled"
        label={t('Enabled')}
        checked={enabled}
        onChange={(next) => change({ enabled: next })}
      />
    </FormDialog>
  )
}

const FORMATS = [
  { value: 'standard', label: t('Standard Webhooks') },
  { value: 'simpu', label: t('Simpu') },
  { value: 'twilio', label: t('Twilio (texts only)') },
]

/** `text.*` as the kinds it stands for, so that each has its box. */
function spelledOut(filters: readonly string[]): string[] {
  const kinds = EVENTS.map(([event]) => event as string)
  return kinds.filter((kind) =>
    filters.some(
      (filter) => filter === '*' || filter === kind || (filter.endsWith('.*') && kind.startsWith(filter.slice(0, -1))),
    ),
  )
}
