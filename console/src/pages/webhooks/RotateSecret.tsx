import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Code } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { WEBHOOKS, type Webhook } from './webhooks.ts'

export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [hours, setHours] = useState('24')
  const rotate = useWrite(
    () => call<{ secret: string }>('POST', `${WEBHOOKS}/${webhook.id}/rotate`, { overlap_hours: Number(hours) }),
    [WEBHOOKS],
  )
  if (rotate.data) return <ShowSecret secret={rotate.data.secret} onClose={onClose} />
  return (
    <Dialog title="A new secret" onClose={onClose}>
      <Form error={rotate.error} onSubmit={() => rotate.mutate()}>
        <p>Posts to {webhook.url} are signed with both secrets for a while, so that your endpoint can change over.</p>
        <SelectField
          name="overlap_hours"
          label="The old one counts for"
          value={hours}
          onChange={setHours}
          choices={[
            { value: '0', label: 'no longer' },
            { value: '1', label: 'an hour' },
            { value: '24', label: 'a day' },
            { value: '168', label: 'a week' },
          ]}
        />
        <FormActions>
          <Button look="main" type="submit" busy={rotate.isPending}>
            Make a new secret
          </Button>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

export function ShowSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="The secret" wide onClose={onClose}>
      <Code text={secret} label="The secret" />
      <p>Your endpoint checks signatures with it. Copy it now: it is not shown again.</p>
      <FormActions>
        <Button look="main" onClick={onClose}>
          I have it
        </Button>
      </FormActions>
    </Dialog>
  )
}
