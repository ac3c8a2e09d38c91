import { useState } from 'react'
import { call } from '../../api.ts'
import { useLiveRefresh } from '../../live.ts'
import { useOnce, useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { AreaField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import { useEstimate } from '../send/estimate.ts'

/** In the sandbox any number has a virtual phone. */
const VIRTUAL_NUMBER = '0803 123 4567'
const MESSAGES = '/console/api/messages'
const EVERY_MS = 2_000

/** A first message without a line of code: to a virtual phone in the sandbox, otherwise to the user's own. */
export function SendYourself() {
  const { organisation, sandbox } = useSession()
  const [recipients, setRecipients] = useState(sandbox ? VIRTUAL_NUMBER : '')
  const [content, setContent] = useState(() => t('Hello from {name}!', { name: organisation.name }))
  const [sent, setSent] = useState<string>()
  const body = {
    recipients,
    content,
    // A message needs a sender, and not every organisation has a default one.
    ...(organisation.default_sender_id === undefined && sandbox ? { sender_id: 'Gangan' } : {}),
  }
  const { estimate } = useEstimate(body, recipients.trim() !== '' && content.trim() !== '')
  const send = useOnce(t('Message'), (_: void, once) => call('POST', '/sms/send', body, once), [
    '/console/api',
    '/sms',
    '/sandbox',
  ])
  return (
    <Section
      title={t('Send yourself a message')}
      lead={
        sandbox
          ? t('No code needed. This is a sandbox: the message arrives on a virtual phone.')
          : t('No code needed. The message is charged and arrives on a real phone: use your own number.')
      }
    >
      <Form
        error={send.error}
        label={t('Send yourself a message')}
        onSubmit={() => send.mutate(undefined, { onSuccess: ({ id }) => setSent(id) })}
      >
        <TextField
          name="recipients"
          label={sandbox ? t('Phone number') : t('Your phone number')}
          type="tel"
          autoComplete="tel"
          value={recipients}
          onChange={setRecipients}
        />
        <AreaField name="content" label={t('Text')} rows={2} value={content} onChange={setContent} />
        <FormActions>
          <Button look="main" type="submit" icon="send" busy={send.isPending}>
            {sandbox || !estimate
              ? t('Send')
              : t('Send for {amount}', { amount: money(estimate.charge, organisation.currency) })}
          </Button>
        </FormActions>
      </Form>
      {sent !== undefined && <Sent key={sent} id={sent} sandbox={sandbox} />}
    </Section>
  )
}

/** The message on its way, until its status is final. */
function Sent({ id, sandbox }: { id: string; sandbox: boolean }) {
  const found = useRead(`${MESSAGES}/${id}?limit=1`, { every_ms: EVERY_MS })
  useLiveRefresh(MESSAGES)
  const [delivery] = found.data?.deliveries ?? []
  return (
    <div className="start-sent row" role="status">
      <Badge status={delivery?.status ?? 'queued'} />
      <span className="grow">
        {delivery?.status === 'delivered'
          ? t('It arrived at {phone}.', { phone: phoneText(delivery.recipient) })
          : t('The message is on its way.')}
      </span>
      {sandbox && (
        <Link to="/phones" className="button">
          {t('See the phone')}
        </Link>
      )}
      <Link to={`/messages/${id}`} className="button">
        {t('What happened')}
      </Link>
    </div>
  )
}
