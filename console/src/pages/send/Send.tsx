import { useEffect } from 'react'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import type { PageProps } from '../../pages.ts'
import { useOnce, useRead } from '../../read.ts'
import { go, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { bodyOf, EMPTY_DRAFT } from './draft.ts'
import { useEstimate } from './estimate.ts'
import { ListProgress } from './ListProgress.tsx'
import { Preview } from './Preview.tsx'
import { RecipientsPart } from './RecipientsPart.tsx'
import { TextPart } from './TextPart.tsx'
import { ValuesPart } from './ValuesPart.tsx'
import './send.css'

/** `#/send` composes, `#/send/list/<id>` follows a message on its way through a smartlist. */
export default function Send({ rest }: PageProps) {
  return rest[0] === 'list' && rest[1] !== undefined ? <ListProgress id={rest[1]} /> : <Compose />
}

function Compose() {
  const { organisation } = useSession()
  const say = useSay()
  const { query } = useRoute()
  const [draft, change, forget] = useDraft('send', EMPTY_DRAFT)
  const { smartlist } = query
  useEffect(() => {
    if (smartlist) change({ audience: 'smartlist', smartlist_id: smartlist })
    // Once for each smartlist somebody comes with: from then on it is theirs to change.
  }, [smartlist, change])
  const templates = useRead('/templates?limit=200')
  const template = templates.data?.templates.find(({ id }) => id === draft.template_id)
  const body = bodyOf(draft, template)
  const complete = Boolean((body.recipients ?? body.smartlist_id) && (body.content ?? body.template_id))
  const { estimate, error: refused } = useEstimate(body, complete && draft.audience === 'numbers')
  const send = useOnce(
    (_: void, idempotency_key) => call('POST', '/sms/send', body, { idempotency_key }),
    ['/console/api', '/sms', '/sandbox'],
  )
  function submit() {
    send.mutate(undefined, {
      onSuccess: (sent) => {
        forget()
        say(draft.send_at ? 'The message is scheduled.' : 'The message is on its way.')
        go('smartlist_id' in sent ? `/send/list/${sent.id}` : `/messages/${sent.id}`)
      },
    })
  }
  return (
    <Page title="Send" lead="Write once, see what each recipient gets and what it costs before it leaves.">
      <div className="send">
        <Section>
          <Form error={send.error} onSubmit={submit} label="Send a message">
            <RecipientsPart draft={draft} change={change} />
            <TextPart draft={draft} change={change} templates={templates.data?.templates ?? []} template={template} />
            <ValuesPart draft={draft} change={change} template={template} />
            <div className="fields">
              <SelectField
                name="channel"
                label="Channel"
                value={draft.channel}
                onChange={(channel) => change({ channel })}
                choices={[
                  { value: 'sms', label: 'SMS' },
                  { value: 'whatsapp', label: 'WhatsApp' },
                ]}
              />
              <TextField
                name="sender_id"
                label="Sender"
                maxLength={11}
                placeholder={organisation.default_sender_id ?? 'Up to 11 characters'}
                value={draft.sender_id}
                onChange={(sender_id) => change({ sender_id })}
              />
              <TextField
                name="send_at"
                label="When"
                type="datetime-local"
                hint={draft.send_at ? undefined : 'At once, unless you choose a time.'}
                value={draft.send_at}
                onChange={(send_at) => change({ send_at })}
              />
            </div>
            <details className="send-more">
              <summary>Reference, callback, links</summary>
              <div className="stack">
                <div className="fields">
                  <TextField
                    name="external_ref"
                    label="Your reference"
                    optional
                    value={draft.external_ref}
                    onChange={(external_ref) => change({ external_ref })}
                  />
                  <TextField
                    name="callback"
                    label="Callback"
                    optional
                    type="url"
                    placeholder="https://example.com/reports"
                    value={draft.callback}
                    onChange={(callback) => change({ callback })}
                  />
                </div>
                <CheckField
                  name="is_trackable"
                  label="Count clicks on links"
                  hint="Each link is replaced by a short one of this service, one per recipient."
                  checked={draft.is_trackable}
                  onChange={(is_trackable) => change({ is_trackable })}
                />
              </div>
            </details>
            <FormActions>
              <Button look="main" type="submit" icon="send" busy={send.isPending}>
                {draft.send_at ? 'Schedule' : 'Send'}
              </Button>
              <Button onClick={forget}>Clear</Button>
            </FormActions>
          </Form>
        </Section>
        <Preview draft={draft} template={template} estimate={estimate} refused={refused} />
      </div>
    </Page>
  )
}
