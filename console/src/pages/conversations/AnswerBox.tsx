import { useState, type KeyboardEvent } from 'react'
import type { Conversation, ConversationMessage } from '../../../../clients/typescript/src/types.ts'
import { call, type ApiError } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useOnce, useRead, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { plural, t } from '../../text/text.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { AreaField, Segments } from '../../ui/fields.tsx'
import { Form } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { useZone, zoneName } from '../../ui/date/zone.ts'
import { shortTime } from '../../ui/Time.tsx'
import { ROWS } from '../contacts/contacts.ts'
import { useEstimate, type Estimate } from '../send/estimate.ts'
import { filledReply, keyOf, placeholdersIn } from './canned.ts'
import { AttachButton } from '../../ui/AttachButton.tsx'
import { Attached, useAttachment } from '../../ui/whatsapp/Attachment.tsx'
import { CannedReplies } from './CannedReplies.tsx'
import { quotedWords } from './Entry.tsx'
import { TemplatePicker } from './TemplatePicker.tsx'

/** Longer ones are numbers, which an estimate does not take and the price does not depend on. */
const LONGEST_NAME = 11
const LONGEST_NOTE = 2_000
const NO_REPLY = { content: '' }
const NO_NOTE = { text: '' }
const PATH = '/conversations'

/** A box for a reply, with its price and obstacles, or for a note. Drafts are kept. Ctrl or ⌘ and Enter sends. */
export function AnswerBox({
  conversation,
  is_open,
  quoting,
  onQuoted,
}: {
  conversation: Conversation
  /** Free text may be sent. */
  is_open: boolean
  /** The text that the reply quotes. */
  quoting: Quoting | undefined
  onQuoted: () => void
}) {
  const { phone, opted_out } = conversation
  const [kind, setKind] = useState<'reply' | 'note'>('reply')
  const obstacle = obstacleOf(conversation, is_open, useZone())
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
        <NoteForm phone={phone} />
      ) : (
        <>
          {obstacle !== undefined && (
            <p className="conversation-note" role="status">
              {obstacle}
            </p>
          )}
          {!opted_out &&
            (is_open ? (
              <ReplyForm conversation={conversation} quoting={quoting} onQuoted={onQuoted} />
            ) : (
              <TemplateButton conversation={conversation} look="main" />
            ))}
        </>
      )}
    </div>
  )
}

type Quoting = ConversationMessage & { name: string }

function ReplyForm({
  conversation,
  quoting,
  onQuoted,
}: {
  conversation: Conversation
  quoting: Quoting | undefined
  onQuoted: () => void
}) {
  const { organisation, right } = useSession()
  const { phone, channel, sender_id, contact } = conversation
  const [{ content }, change, forget] = useDraft(`reply.${phone}`, NO_REPLY)
  const write = (text: string) => change({ content: text })
  const [choosing, setChoosing] = useState(false)
  const attachment = useAttachment()
  const row = useRead(contact && right('lists') !== 'none' ? `${ROWS}/${contact.id}` : null)
  const answer = useOnce(
    t('Reply||a noun'),
    async (body: object, once) => {
      await call('POST', `${PATH}/${phone}/messages`, body, once)
      forget()
      attachment.remove()
      onQuoted()
    },
    [PATH, '/balance'],
  )
  const { sent: media } = attachment
  const is_empty = content.trim() === ''
  const whatsapp = { ...media?.content, ...(quoting ? { reply_to: quoting.id } : {}) }
  const body = {
    ...(is_empty && media ? {} : { content }),
    ...(Object.keys(whatsapp).length > 0 ? { whatsapp } : {}),
  }
  const named = sender_id !== undefined && sender_id.length <= LONGEST_NAME ? { sender_id } : {}
  const unfilled = placeholdersIn(content)
  const complete = (!is_empty || media !== undefined) && unfilled.length === 0 && !attachment.busy
  const { estimate, error } = useEstimate({ recipients: phone, channel, ...body, ...named }, complete)
  function insert(template: string) {
    const columns = row.data?.table.columns ?? []
    const values = columns.map(({ id, name }) => [keyOf(name), row.data?.row.columns[id] ?? ''] as const)
    const text = filledReply(template, new Map(values.filter(([, value]) => value !== '')))
    write(content.trim() === '' ? text : `${content.trimEnd()} ${text}`)
  }
  return (
    <Form
      error={answer.error}
      label={t('Answer||a verb')}
      onSubmit={() => complete && !answer.isPending && answer.mutate(body)}
    >
      {quoting && <Quoted quoting={quoting} onClose={onQuoted} />}
      <AreaField
        name="content"
        label={t('Your answer')}
        rows={2}
        value={content}
        onChange={write}
        onKeyDown={sendByKey}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      />
      <Attached attachment={attachment} />
      <div className="conversation-send">
        <p className="soft small grow" role="status">
          {way(conversation)}
          {complete && cost(estimate, error, organisation.currency, channel)}
        </p>
        <Button onClick={() => setChoosing(true)}>{t('Canned replies')}</Button>
        {channel === 'whatsapp' && (
          <>
            <AttachButton attachment={attachment} />
            <TemplateButton conversation={conversation} />
          </>
        )}
        <SendButton
          label={t('Send')}
          busy={answer.isPending}
          blocked={
            unfilled.length > 0
              ? t('Replace {placeholders} before you send.', { placeholders: unfilled.join(', ') })
              : attachment.busy
                ? t('Wait until the file is uploaded.')
                : complete
                  ? undefined
                  : t('Write a reply first.')
          }
        />
      </div>
      {choosing && <CannedReplies onChoose={insert} onClose={() => setChoosing(false)} />}
    </Form>
  )
}

/** The text that is quoted, above the field. */
function Quoted({
  quoting: { direction, name, text = '', whatsapp },
  onClose,
}: {
  quoting: Quoting
  onClose: () => void
}) {
  return (
    <div className="conversation-quoting">
      <p className="talk-quote small">
        <b>{direction === 'out' ? t('You||wrote a message') : name}</b>
        <span>{quotedWords(text, whatsapp)}</span>
      </p>
      <IconButton label={t('Do not quote it')} icon="close" onClick={onClose} />
    </div>
  )
}

/** Opens the templates that may be sent at any time. */
function TemplateButton({ conversation, look = 'plain' }: { conversation: Conversation; look?: 'main' | 'plain' }) {
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <Button look={look} onClick={() => setChoosing(true)}>
        {t('Send a template')}
      </Button>
      {choosing && <TemplatePicker conversation={conversation} onClose={() => setChoosing(false)} />}
    </>
  )
}

function NoteForm({ phone }: { phone: string }) {
  const [{ text }, change, forget] = useDraft(`note.${phone}`, NO_NOTE)
  const add = useWrite(async () => {
    await call('POST', `${PATH}/${phone}/notes`, { text })
    forget()
  }, [PATH])
  const complete = text.trim() !== ''
  return (
    <Form
      error={add.error}
      label={t('Note||for colleagues')}
      onSubmit={() => complete && !add.isPending && add.mutate()}
    >
      <AreaField
        name="text"
        label={t('Your note')}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={text}
        onChange={(next) => change({ text: next })}
        onKeyDown={sendByKey}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      />
      <div className="conversation-send">
        <p className="soft small grow">{t('Only users of your organisation see it.')}</p>
        <SendButton
          label={t('Add the note')}
          busy={add.isPending}
          blocked={complete ? undefined : t('Write a note first.')}
        />
      </div>
    </Form>
  )
}

const APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

function SendButton({ label, busy, blocked }: { label: string; busy: boolean; blocked: string | undefined }) {
  return (
    <Button look="main" type="submit" busy={busy} blocked={blocked} title={APPLE ? '⌘ ↵' : 'Ctrl ↵'}>
      {label}
    </Button>
  )
}

function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || (!event.ctrlKey && !event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

function obstacleOf({ opted_out, window_until }: Conversation, is_open: boolean, zone: string): string | undefined {
  if (opted_out) return t('This number has opted out. It can reply START to opt in again.')
  if (window_until === undefined) return undefined
  const until = new Date(window_until)
  const time = `${shortTime(until, zone, false)} (${zoneName(zone, window_until)})`
  return is_open
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
