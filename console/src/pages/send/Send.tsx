import { useDeferredValue, useMemo, useState } from 'react'
import { call } from '../../api.ts'
import { SamplesBelow } from '../../code/Samples.tsx'
import { CALLS } from '../../code/snippets.ts'
import { useDraft } from '../../draft.ts'
import { useOnce, useRead } from '../../read.ts'
import { go } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DateField } from '../../ui/date/DateField.tsx'
import { CheckField, TextField, ChannelField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { SenderField } from '../../ui/SenderField.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { ConfirmSend } from './ConfirmSend.tsx'
import { bodyOf, EMPTY_DRAFT, isComplete, type Draft, type DraftBody } from './draft.ts'
import { useEstimate } from './estimate.ts'
import { Preview } from './Preview.tsx'
import { recipientReader } from './read-recipients.ts'
import { RecipientsPart } from './RecipientsPart.tsx'
import { TextPart } from './TextPart.tsx'
import { ValuesPart } from './ValuesPart.tsx'
import './send.css'

/** A message to a few. For a smartlist or a file there are campaigns. */
export default function Send() {
  const { organisation } = useSession()
  const say = useSay()
  const kept = useDraft('send', EMPTY_DRAFT)
  const [draft, change, forget] = kept
  const templates = useRead('/templates?limit=200')
  const template = templates.data?.templates.find(({ id }) => id === draft.template_id)
  const read = useMemo(() => recipientReader(organisation.default_country), [organisation.default_country])
  // Typing does not wait until a long list is read.
  const typed = useDeferredValue(draft.recipients)
  const recipients = useMemo(() => read(typed), [read, typed])
  const body = bodyOf(draft, template, recipients.valid)
  const complete = isComplete(body)
  const { estimate, error: refused } = useEstimate(body, complete)
  const [asked, setAsked] = useState<{ body: DraftBody; count: number }>()
  const send = useOnce(
    t('Message'),
    async (given: DraftBody, once) => {
      const sent = await call('POST', '/sms/send', given, once)
      forget()
      return sent
    },
    ['/console/api', '/sms', '/sandbox'],
  )
  /** With wrong entries, too: the service refuses them, each beside the field. */
  function submit(wanted: Draft = draft) {
    const { entries, wrong } = read(wanted.recipients)
    const given = bodyOf(wanted, template, entries)
    const is_large = entries.length > organisation.confirm_above && wrong.length === 0 && isComplete(given)
    if (is_large) setAsked({ body: given, count: entries.length })
    else post(given)
  }
  function post(given: DraftBody) {
    send.mutate(given, {
      onSuccess: (sent) => {
        say(given.send_at ? t('The message is scheduled.') : t('Message sent.'))
        go(`/messages/${sent.id}`)
      },
      onError: () => setAsked(undefined),
    })
  }
  function sendOthers(others: string) {
    change({ recipients: others })
    submit({ ...draft, recipients: others })
  }
  return (
    <Page title={t('Send')} lead={t('Write once; see what each recipient gets and what it costs before you send it.')}>
      <div className="send">
        <Section>
          <Form error={send.error} draft={kept} onSubmit={() => submit()} label={t('Send a message')}>
            <RecipientsPart
              typed={draft.recipients}
              recipients={recipients}
              change={(typed_now) => change({ recipients: typed_now })}
              onSendOthers={complete ? sendOthers : undefined}
            />
            <TextPart draft={draft} change={change} templates={templates.data?.templates ?? []} template={template} />
            <ValuesPart draft={draft} numbers={recipients.entries} change={change} template={template} />
            <div className="fields">
              <ChannelField value={draft.channel} onChange={(channel) => change({ channel })} />
              <SenderField
                sender_id={draft.sender_id}
                channel={draft.channel}
                onChange={(sender_id) => change({ sender_id })}
              />
              <DateField
                kind="moment"
                name="send_at"
                label={t('When||a message leaves')}
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
              <Button onClick={() => forget()}>{t('Clear')}</Button>
            </FormActions>
          </Form>
        </Section>
        <Preview draft={draft} numbers={recipients.valid} template={template} estimate={estimate} refused={refused} />
      </div>
      {asked && (
        <ConfirmSend
          {...asked}
          busy={send.isPending}
          onConfirm={() => post(asked.body)}
          onClose={() => setAsked(undefined)}
        />
      )}
      <SamplesBelow call={complete ? { ...CALLS.sms, body } : CALLS.sms} />
    </Page>
  )
}
