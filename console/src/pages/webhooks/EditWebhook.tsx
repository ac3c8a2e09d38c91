import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CheckField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
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
  const body = { url, events: events.length === EVENTS.length ? ['*'] : events, enabled }
  const save = useWrite(
    () =>
      webhook
        ? call<{ secret?: string }>('PATCH', `${WEBHOOKS}/${webhook.id}`, { ...body, description: description || null })
        : call<{ secret?: string }>('POST', WEBHOOKS, { ...body, ...(description ? { description } : {}) }),
    [WEBHOOKS],
  )
  if (save.data?.secret) return <ShowSecret secret={save.data.secret} onClose={onClose} />
  return (
    <Dialog title={webhook ? 'Change a webhook' : 'Register a webhook'} onClose={onClose}>
      <Form
        error={save.error}
        onSubmit={() =>
          save.mutate(undefined, {
            onSuccess: () => {
              if (!webhook) return
              say('The webhook is changed.')
              onClose()
            },
          })
        }
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
        <fieldset className="webhook-events">
          <legend>What it hears of</legend>
          {EVENTS.map(([event, title]) => (
            <CheckField
              key={event}
              name={event}
              label={title}
              checked={events.includes(event)}
              onChange={(checked) => setEvents(checked ? [...events, event] : events.filter((each) => each !== event))}
            />
          ))}
        </fieldset>
        <CheckField name="enabled" label="Enabled" checked={enabled} onChange={setEnabled} />
        <FormActions>
          <Button look="main" type="submit" busy={save.isPending}>
            {webhook ? 'Keep' : 'Register'}
          </Button>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** `text.*` as the kinds it stands for, so that each has its box. */
function spelledOut(filters: readonly string[]): string[] {
  const kinds = EVENTS.map(([event]) => event as string)
  return kinds.filter((kind) =>
    filters.some(
      (filter) => filter === '*' || filter === kind || (filter.endsWith('.*') && kind.startsWith(filter.slice(0, -1))),
    ),
  )
}
