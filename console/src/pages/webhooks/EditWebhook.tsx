import { useState } from 'react'
import type { Answers } from '../../answers.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { CheckField, CheckFields, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { ShowSecret } from './RotateSecret.tsx'
import { EVENTS, WEBHOOKS, type Webhook } from './webhooks.ts'

/** Registers an endpoint, or changes one. */
export function EditWebhook({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const say = useSay()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const [events, setEvents] = useState<readonly string[]>(() => spelledOut(webhook?.events ?? ['*']))
  const [format, setFormat] = useState('standard')
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
      title={webhook ? 'Change a webhook' : 'Register a webhook'}
      action={webhook ? 'Save' : 'Register'}
      write={save}
      onDone={webhook && (() => say('The webhook is changed.'))}
      onClose={onClose}
    >
      <TextField
        name="url"
        label="Address"
        type="url"
        placeholder="https://example.com/events"
        value={url}
        onChange={setUrl}
      />
      <TextField name="description" label="What it is for" optional value={description} onChange={setDescription} />
      <CheckFields legend="What it hears of" choices={EVENTS} checked={events} onChange={setEvents} />
      {!webhook && (
        <SelectField name="format" label="In the form of" value={format} onChange={setFormat} choices={FORMATS} />
      )}
      <CheckField name="enabled" label="Enabled" checked={enabled} onChange={setEnabled} />
    </FormDialog>
  )
}

const FORMATS = [
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'simpu', label: 'Simpu' },
  { value: 'twilio', label: 'Twilio (texts only)' },
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
