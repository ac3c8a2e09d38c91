import { call } from '../../api.ts'
import { SamplesBelow } from '../../code/Samples.tsx'
import { CALLS } from '../../code/snippets.ts'
import { useDraft } from '../../draft.ts'
import { useOnce, useRead } from '../../read.ts'
import { go } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { bodyOf, EMPTY_DRAFT } from './draft.ts'
import { useEstimate } from './estimate.ts'
import { Preview } from './Preview.tsx'
import { RecipientsPart } from './RecipientsPart.tsx'
import { TextPart } from './TextPart.tsx'
import { ValuesPart } from './ValuesPart.tsx'
import './send.css'

/** A message to a few. For a smartlist or a file there are campaigns. */
export default function Send() {
  const { organisation } = useSession()
  const say = useSay()
  const [draft, change, forget] = useDraft('send', EMPTY_DRAFT)
  const templates = useRead('/templates?limit=200')
  const template = templates.data?.templates.find(({ id }) => id === draft.template_id)
  const body = bodyOf(draft, template)
  const complete = Boolean(body.recipients && (body.content ?? body.template_id))
  const { estimate, error: refused } = useEstimate(body, complete)
  const send = useOnce(
    (_: void, idempotency_key) => call('POST', '/sms/send', body, { idempotency_key }),
    ['/console/api', '/sms', '/sandbox'],
  )
  function submit() {
    send.mutate(undefined, {
      onSuccess: (sent) => {
        forget()
        say(draft.send_at ? t('The message is scheduled.') : t('Message sent.'))
        go(`/messages/${sent.id}`)
      },
    })
  }
  return (
    <Page title={t('Send')} lead={t('Write once; see what each recipient gets and what it costs before you send it.')}>
      <div className="send">
        <Section>
          <Form error={send.error} onSubmit={submit} label={t('Send a message')}>
            <RecipientsPart draft={draft} change={change} />
            <TextPart draft={draft} change={change} templates={templates.data?.templates ?? []} template={template} />
            <ValuesPart draft={draft} change={change} template={template} />
            <div className="fields">
              <SelectField
                name="channel"
                label={t('Channel')}
                value={draft.channel}
                onChange={(channel) => change({ channel })}
                choices={[
                  { value: 'sms', label: 'SMS' },
                  { value: 'whatsapp', label: 'WhatsApp' },
                ]}
              />
              <TextField
                name="sender_id"
                label={t('Sender')}
                maxLength={11}
                placeholder={organisation.default_sender_id ?? t('Up to 11 characters')}
                value={draft.sender_id}
                onChange={(sender_id) => change({ sender_id })}
              />
              <TextField
                name="send_at"
                label={t('When||a message leaves')}
                type="datetime-local"
                hint={draft.send_at ? undefined : t('Immediately, unless you choose a time.')}
                value={draft.send_at}
                onChange={(send_at) => change({ send_at })}
              />
            </div>
            <details className="send-more">
              <summary>{t('Reference, callback, links')}</summary>
              <div className="stack">
                <div className="fields">
                  <TextField
                    name="external_ref"
                    label={t('Your reference')}
                    optional
                    value={draft.external_ref}
                    onChange={(external_ref) => change({ external_ref })}
                  />
                  <TextField
                    name="callback"
                    label={t('Callback')}
                    optional
                    type="url"
                    placeholder="https://example.com/reports"
                    value={draft.callback}
                    onChange={(callback) => change({ callback })}
                  />
                </div>
                <CheckField
                  name="is_trackable"
                  label={t('Count clicks on links')}
                  hint={t('Replaces each link with a short link of this service, unique to each recipient.')}
                  checked={draft.is_trackable}
                  onChange={(is_trackable) => change({ is_trackable })}
                />
              </div>
            </details>
            <FormActions>
              <Button look="main" type="submit" icon="send" busy={send.isPending}>
                {draft.send_at ? t('Schedule') : t('Send')}
              </Button>
              <Button onClick={forget}>{t('Clear')}</Button>
            </FormActions>
          </Form>
        </Section>
        <Preview draft={draft} template={template} estimate={estimate} refused={refused} />
      </div>
      <SamplesBelow call={complete ? { ...CALLS.sms, body } : CALLS.sms} />
    </Page>
  )
}
