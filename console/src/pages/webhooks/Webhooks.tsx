import { useState } from 'react'
import { call } from '../../api.ts'
import type { PageProps } from '../../page-props.ts'
import { usePages, useWrite } from '../../read.ts'
import { useNew } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable, ACTIONS } from '../../ui/Table.tsx'
import { useZone } from '../../ui/date/zone.ts'
import { shortTime, Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { Callbacks } from './Callbacks.tsx'
import { EditWebhook } from './EditWebhook.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { WEBHOOKS, type Webhook } from './webhooks.ts'

type Doing = { what: 'edit' | 'rotate' | 'remove'; webhook: Webhook }

/** Endpoints that hear of everything, and every post that was tried. */
export default function Webhooks({ rest: [open] }: PageProps) {
  const webhooks = usePages(WEBHOOKS, 'webhooks', { limit: 50 }, { every_ms: 10_000 })
  const [adding, setAdding] = useNew()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <Page
      title={t('Webhooks')}
      lead={t('Receive events as signed webhooks (Standard Webhooks), retried for a day.')}
      actions={
        <Button look="main" icon="plus" onClick={() => setAdding(true)}>
          {t('Register a webhook')}
        </Button>
      }
    >
      <Section title={t('Endpoints')} flush>
        <PagedTable
          label={t('Webhooks')}
          pages={webhooks}
          rowKey={({ id }) => id}
          columns={[
            {
              title: t('Address'),
              clip: true,
              cell: ({ url, description }) => (
                <>
                  <b>{url}</b>
                  {description && <span className="soft"> {description}</span>}
                </>
              ),
            },
            { title: t('Events'), narrow: true, cell: ({ events }) => eventNames(events) },
            { title: t('State'), narrow: true, cell: (webhook) => <State webhook={webhook} /> },
            {
              title: t('Since'),
              narrow: true,
              minor: true,
              cell: ({ created_datetime }) => <Time at={created_datetime} />,
            },
            {
              ...ACTIONS,
              cell: (webhook) => <Actions webhook={webhook} onDo={(what) => setDoing({ what, webhook })} />,
            },
          ]}
          empty={
            <Empty title={t('No webhook is registered.')}>
              <p>{t('Register one, or set a callback URL with each request.')}</p>
              <Button changes onClick={() => setAdding(true)}>
                {t('Register a webhook')}
              </Button>
            </Empty>
          }
        />
      </Section>
      <Callbacks open={open} />
      {adding && <EditWebhook onClose={() => setAdding(false)} />}
      {doing?.what === 'edit' && <EditWebhook webhook={doing.webhook} onClose={close} />}
      {doing?.what === 'rotate' && <RotateSecret webhook={doing.webhook} onClose={close} />}
      {doing?.what === 'remove' && <RemoveWebhook webhook={doing.webhook} onClose={close} />}
    </Page>
  )
}

function State({ webhook }: { webhook: Webhook }) {
  const { enabled, disabled_reason, failing_since } = webhook
  const zone = useZone()
  if (!enabled)
    return (
      <span title={disabled_reason}>
        <Badge status="disabled" />
      </span>
    )
  if (failing_since === undefined) return <Badge status="active" />
  return (
    <span title={t('Since {time}', { time: shortTime(new Date(failing_since), zone) })}>
      <Badge status="failing" tone="bad" />
    </span>
  )
}

function Actions({ webhook, onDo }: { webhook: Webhook; onDo: (what: 'edit' | 'rotate' | 'remove') => void }) {
  const say = useSay()
  const test = useWrite(() => call('POST', `${WEBHOOKS}/${webhook.id}/test`), ['/callbacks'])
  return (
    <>
      <Button
        look="bare"
        changes
        busy={test.isPending}
        onClick={() =>
          test.mutate(undefined, {
            onSuccess: () => say(t('Test event sent. See the result below.')),
            onError: (fault) => say(fault.message, 'bad'),
          })
        }
      >
        {t('Test||a verb')}
      </Button>
      <Button look="bare" changes onClick={() => onDo('edit')}>
        {t('Change||a verb')}
      </Button>
      <Button look="bare" changes onClick={() => onDo('rotate')}>
        {t('Secret')}
      </Button>
      <Button look="remove" onClick={() => onDo('remove')}>
        {t('Delete')}
      </Button>
    </>
  )
}

function RemoveWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Delete this webhook?')}
      action={t('Delete the webhook')}
      keep={t('Keep the webhook')}
      write={() => call('DELETE', `${WEBHOOKS}/${webhook.id}`)}
      stale={[WEBHOOKS]}
      onDone={() => say(t('Webhook deleted.'))}
      onClose={onClose}
    >
      <p>{t('{url} receives no more events, including pending ones.', { url: webhook.url })}</p>
    </Confirm>
  )
}

function eventNames(events: readonly string[]): string {
  if (events.includes('*')) return t('everything||events')
  if (events.length > 2) return t('{n} types', { n: events.length })
  return events.map((event) => GROUPS[event] ?? event).join(', ')
}

const GROUPS: Record<string, string> = { 'text.*': t('messages'), 'airtime.*': t('airtime') }
