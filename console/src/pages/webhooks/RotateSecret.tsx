import { call } from '../../api.ts'
import { t } from '../../text/text.ts'
import { Rotate, ShowOnce } from '../../ui/FormDialog.tsx'
import { WEBHOOKS, type Webhook } from './webhooks.ts'

export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <Rotate
      title={t('A new secret')}
      action={t('Create a new secret')}
      ask={(overlap_hours) => call('POST', `${WEBHOOKS}/${webhook.id}/rotate`, { overlap_hours })}
      longest_h={168}
      stale={WEBHOOKS}
      show={(secret) => <ShowSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      {t('Posts to {url} are signed with both secrets for a while, so that your endpoint can change over.', {
        url: webhook.url,
      })}
    </Rotate>
  )
}

export function ShowSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnce title={t('The secret')} text={secret} onClose={onClose}>
      {t('Your endpoint checks signatures with it. Copy it now: it is not shown again.')}
    </ShowOnce>
  )
}
