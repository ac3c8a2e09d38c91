import { call } from '../../api.ts'
import { Rotate, ShowOnce } from '../../ui/FormDialog.tsx'
import { WEBHOOKS, type Webhook } from './webhooks.ts'

export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <Rotate
      title="A new secret"
      action="Make a new secret"
      ask={(overlap_hours) => call('POST', `${WEBHOOKS}/${webhook.id}/rotate`, { overlap_hours })}
      longest_h={168}
      stale={WEBHOOKS}
      show={(secret) => <ShowSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      Posts to {webhook.url} are signed with both secrets for a while, so that your endpoint can change over.
    </Rotate>
  )
}

export function ShowSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnce title="The secret" text={secret} onClose={onClose}>
      Your endpoint checks signatures with it. Copy it now: it is not shown again.
    </ShowOnce>
  )
}
