import { useState, type KeyboardEvent } from 'react'
import type { Conversation } from '../../../../clients/typescript/src/types.ts'
import { call, type ApiError } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useOnce, useRead, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaField, Segments } from '../../ui/fields.tsx'
import { Form } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { shortTime } from '../../ui/Time.tsx'
import { ROWS } from '../contacts/contacts.ts'
import { useEstimate, type Estimate } from '../send/estimate.ts'
import { filledReply, keyOf, placeholdersIn } from './canned.ts'
import { CannedReplies } from './CannedReplies.tsx'

/** Longer ones are numbers, which an estimate does not take and the price does not depend on. */
const LONGEST_NAME = 11
const LONGEST_NOTE = 2_000
const EMPTY = { reply: '', note: '' }
const PATH = '/conversations'

/** A box for a reply, with its price and obstacles, or for a note. Drafts are kept. Ctrl or ⌘ and Enter sends. */
export function AnswerBox({ conversation }: { conversation: Conversation }) {
  const { phone, opted_out } = conversation
  const [draft, change] = useDraft(`answer.${phone}`, EMPTY)
  const [kind, setKind] = useState<'reply' | 'note'>('reply')
  const obstacle = obstacleOf(conversation)
  return (
    <div className="conversation-answer">
      <Segments
        label={t('What you write')}
        value={kind}
        onChange={setKind}
        choices={[
          { value: 'reply', label: t('Reply||a noun') },
          { value: 'note', label: t('Note||for colleagues') },
        ]}
      />
      {kind === 'note' ? (
        <NoteForm phone={phone} text={draft.note} onChange={(note) => change({ note })} />
      ) : (
        <>
          {obstacle !== undefined && (
            <p className="conversation-note" role="status">
              {obstacle}
            </p>
          )}
          {!opted_out && (
            <ReplyForm conversation={conversation} content={draft.reply} onChange={(reply) => change({ reply })} />
          )}
        </>
      )}
    </div>
  )
}

function ReplyForm({
  conversation,
  content,
  onChange,
}: {
  conversation: Conversation
  content: string
  onChange: (content: string) => void
}) {
  const { organisation, right } = useSession()
  const { phone, channel, sender_id, contact } = conversation
  const [choosing, setChoosing] = useState(false)
  const row = useRead(contact && right('lists') !== 'none' ? `${ROWS}/${contact.id}` : null)
  const answer = useOnce(
    (text: string, idempotency_key) =>
      call('POST', `${PATH}/${phone}/messages`, { content: text }, { idempotency_key }),
    [PATH, '/balance'],
  )
  const named = sender_id !== undefined && sender_id.length <= LONGEST_NAME ? { sender_id } : {}
  const unfilled = placeholdersIn(content)
  const complete = content.trim() !== '' && unfilled.length === 0
  const { estimate, error } = useEstimate({ recipients: phone, channel, content, ...named }, complete)
  function insert(template: string) {
    const columns = row.data?.table.columns ?? []
    const values = columns.map(({ id, name }) => [keyOf(name), row.data?.row.columns[id] ?? ''] as const)
    const text = filledReply(template, new Map(values.filter(([, value]) => value !== '')))
    onChange(content.trim() === '' ? text : `${content.trimEnd()} ${text}`)
  }
  return (
    <Form
      error={answer.error}
      label={t('Answer||a verb')}
      onSubmit={() => complete && !answer.isPending && answer.mutate(content, { onSuccess: () => onChange('') })}
    >
      <AreaField
        name="content"
        label={t('Your answer')}
        rows={2}
        value={content}
        onChange={onChange}
        onKeyDown={sendByKey}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      />
      <div className="conversation-send">
        <p className="soft small grow" role="status">
          {unfilled.length > 0
            ? t('Replace {placeholders} before you send.', { placeholders: unfilled.join(', ') })
            : `${way(conversation)}${complete ? cost(estimate, error, organisation.currency, channel) : ''}`}
        </p>
        <Button onClick={() => setChoosing(true)}>{t('Canned replies')}</Button>
        <SendButton label={t('Send')} busy={answer.isPending} disabled={!complete} />
      </div>
      {choosing && <CannedReplies onChoose={insert} onClose={() => setChoosing(false)} />}
    </Form>
  )
}

function NoteForm({ phone, text, onChange }: { phone: string; text: string; onChange: (text: string) => void }) {
  const add = useWrite(() => call('POST', `${PATH}/${phone}/notes`, { text }), [PATH])
  const complete = text.trim() !== ''
  return (
    <Form
      error={add.error}
      label={t('Note||for colleagues')}
      onSubmit={() => complete && !add.isPending && add.mutate(undefined, { onSuccess: () => onChange('') })}
    >
      <AreaField
        name="text"
        label={t('Your note')}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={text}
        onChange={onChange}
        onKeyDown={sendByKey}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      />
      <div className="conversation-send">
        <p className="soft small grow">{t('Only users of your organisation see it.')}</p>
        <SendButton label={t('Add the note')} busy={add.isPending} disabled={!complete} />
      </div>
    </Form>
  )
}

const APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

function SendButton({ label, busy, disabled }: { label: string; busy: boolean; disabled: boolean }) {
  return (
    <Button look="main" type="submit" busy={busy} disabled={disabled} title={APPLE ? '⌘ ↵' : 'Ctrl ↵'}>
      {label}
    </Button>
  )
}

function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || (!event.ctrlKey && !event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

function obstacleOf({ opted_out, window_until }: Conversation): string | undefined {
  if (opted_out) return t('This number has opted out. It can reply START to opt in again.')
  if (window_until === undefined) return undefined
  const until = new Date(window_until)
  const time = shortTime(until, false)
  return until.getTime() > Date.now()
    ? t('WhatsApp accepts free text until {time}, 24 hours after their last message.', { time })
    : t('WhatsApp’s 24-hour window ended at {time}: only templates are accepted until they write again.', { time })
}

function way({ channel, sender_id }: Conversation): string {
  if (channel === 'whatsapp') return t('By WhatsApp.')
  if (sender_id === undefined) return t('By SMS without a sender: register a sender first.')
  return t('By SMS from {sender}.', { sender: sender_id })
}

function cost(estimate: Estimate | undefined, refused: ApiError | null, currency: string, channel: string): string {
  if (refused) return ` ${refused.faults[0]?.message ?? refused.message}`
  if (!estimate) return ''
  const price = money(estimate.charge, currency)
  const costs =
    channel === 'sms' ? plural(estimate.pages, '{n} page, {price}.', '{n} pages, {price}.', { price }) : `${price}.`
  return estimate.available_balance < 0 ? ` ${costs} ${t('The balance does not cover it.')}` : ` ${costs}`
}
