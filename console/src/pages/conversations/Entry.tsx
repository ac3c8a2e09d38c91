import { useRef, useState } from 'react'
import type { ConversationMessage } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useOnce, useRead } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Reason } from '../../ui/Reason.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeLink } from '../../ui/TimeLink.tsx'
import { isStandIn, wordsOf, type Content } from '../../ui/whatsapp/content.ts'
import { Above, Below, Formatted } from '../../ui/whatsapp/Parts.tsx'
import { WHATSAPP } from '../templates/whatsapp.ts'
import { withTemplate } from './template-content.ts'
import { FAILED, type Reactions } from './thread.ts'
import { Ticks } from './Ticks.tsx'

const WORDS: Record<string, string> = {
  stop: t('opted out||status'),
  start: t('opted in||status'),
  help: t('asks for help||status'),
}

/** What an entry needs of the thread that it is in. */
export type Talk = {
  phone: string
  /** The person, by name or number. */
  name: string
  may_answer: boolean
  find: (id: string) => ConversationMessage | undefined
  reactionsTo: (id: string) => Reactions | undefined
  /** Undefined if the person cannot be answered on WhatsApp now. */
  onReply: ((entry: ConversationMessage) => void) | undefined
}

/** A text of the thread with its delivery state, or a note. */
export function Entry({ entry, talk }: { entry: ConversationMessage; talk: Talk }) {
  const { id, direction, status, channel, keyword, created_datetime, send_at, read_datetime } = entry
  if (direction === 'note') return <Note entry={entry} may_delete={talk.may_answer} />
  const has_ticks = channel === 'whatsapp' && (status === 'sent' || status === 'delivered')
  const { onReply } = talk
  return (
    <div className={direction === 'out' ? 'talk mine' : 'talk'} id={placeOf(id)}>
      <div className="talk-text">
        <Body entry={entry} talk={talk} />
      </div>
      <Reacted reactions={talk.reactionsTo(id)} name={talk.name} />
      <p className="talk-foot soft small">
        {direction === 'out' ? (
          <TimeLink
            to={`/messages/${id}/${talk.phone}`}
            at={created_datetime}
            about={t('what happened to this message')}
            seconds={false}
          />
        ) : (
          <Time at={created_datetime} seconds={false} />
        )}
        {channel === 'whatsapp' && <span>WhatsApp</span>}
        {has_ticks ? (
          <Ticks status={status} read_datetime={read_datetime} />
        ) : (
          status !== undefined && <Badge status={status} />
        )}
        {keyword !== undefined && <Badge status={WORDS[keyword] ?? keyword} />}
        {status === 'scheduled' && send_at !== undefined && (
          <span>
            <Rich text="goes {time}" values={{ time: <Time at={send_at} seconds={false} zoned /> }} />
          </span>
        )}
        {FAILED.includes(status) && <Reason {...entry} />}
        {onReply && direction === 'in' && channel === 'whatsapp' && (
          <>
            <Button
              look="bare"
              changes
              aria-label={t('Reply to {text}', { text: quotedWords(entry.text ?? '', entry.whatsapp) })}
              onClick={() => onReply(entry)}
            >
              {t('Reply||a verb')}
            </Button>
            <React entry={entry} phone={talk.phone} ours={talk.reactionsTo(id)?.out} />
          </>
        )}
      </p>
    </div>
  )
}

function Body({ entry: { text, whatsapp, media }, talk }: { entry: ConversationMessage; talk: Talk }) {
  const at_meta = useRead(whatsapp?.template ? WHATSAPP : null).data?.templates ?? []
  if (text === undefined) return <i>{t('No longer stored.')}</i>
  if (!whatsapp) return <p className="talk-words">{text}</p>
  const { reply_to, reaction } = whatsapp
  const content = withTemplate(whatsapp, at_meta)
  return (
    <>
      {reply_to !== undefined && <Quote quoted={talk.find(reply_to)} talk={talk} />}
      {reaction !== undefined && <span className="soft small">{t('Reaction')}</span>}
      <Above content={content} received={media} />
      {!isStandIn(text, whatsapp, media) && (
        <p className="talk-words">
          <Formatted text={wordsOf(text)} />
        </p>
      )}
      <Below content={content} />
    </>
  )
}

/** The text that is answered; pressed, it is scrolled to. */
function Quote({ quoted, talk }: { quoted: ConversationMessage | undefined; talk: Talk }) {
  if (!quoted) return <span className="talk-quote soft small">{t('An earlier message')}</span>
  const { id, direction, text = t('No longer stored.'), whatsapp } = quoted
  function show() {
    const place = document.getElementById(placeOf(id))
    place?.scrollIntoView({ block: 'center' })
  }
  return (
    <button type="button" className="talk-quote small" onClick={show}>
      <b>{direction === 'out' ? t('You||wrote a message') : talk.name}</b>
      <span>{quotedWords(text, whatsapp)}</span>
    </button>
  )
}

const LONGEST_QUOTE = 120

export function quotedWords(text: string, whatsapp: Content | undefined): string {
  const words = whatsapp ? wordsOf(text) : text
  return words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE)}…` : words
}

function placeOf(id: string): string {
  return `text-${id}`
}

function Reacted({ reactions, name }: { reactions: Reactions | undefined; name: string }) {
  const { in: theirs, out: ours } = reactions ?? {}
  if (!theirs && !ours) return null
  return (
    <p className="talk-reactions">
      {theirs && (
        <span title={t('{name} reacted with {emoji}', { name, emoji: theirs })}>
          {theirs}
          <span className="unseen">{t('{name} reacted with {emoji}', { name, emoji: theirs })}</span>
        </span>
      )}
      {ours && (
        <span title={t('You reacted with {emoji}', { emoji: ours })}>
          {ours}
          <span className="unseen">{t('You reacted with {emoji}', { emoji: ours })}</span>
        </span>
      )}
    </p>
  )
}

const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** Reactions to choose from; the one that was chosen is removed. Each is sent, and charged, as a message. */
function React({ entry, phone, ours }: { entry: ConversationMessage; phone: string; ours: string | undefined }) {
  const choices = useRef<HTMLDetailsElement>(null)
  const react = useOnce(
    t('Reaction'),
    (reaction: string, once) =>
      call('POST', `/conversations/${phone}/messages`, { whatsapp: { reaction, reply_to: entry.id } }, once),
    ['/conversations', '/balance'],
  )
  function choose(emoji: string) {
    if (choices.current) choices.current.open = false
    react.mutate(emoji === ours ? '' : emoji)
  }
  return (
    <>
      <details className="talk-react" ref={choices}>
        <summary title={t('A reaction is charged like a message.')}>{t('React||to a message')}</summary>
        {EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            disabled={react.isPending}
            aria-pressed={emoji === ours}
            aria-label={
              emoji === ours ? t('Remove the reaction {emoji}', { emoji }) : t('React with {emoji}', { emoji })
            }
            onClick={() => choose(emoji)}
          >
            {emoji}
          </button>
        ))}
      </details>
      {react.error && <span role="alert">{react.error.faults[0]?.message ?? react.error.message}</span>}
    </>
  )
}

function Note({
  entry: { id, text, author, created_datetime },
  may_delete,
}: {
  entry: ConversationMessage
  may_delete: boolean
}) {
  const [asking, setAsking] = useState(false)
  return (
    <div className="talk note">
      <p className="talk-text talk-words">{text}</p>
      <p className="talk-foot soft small">
        <span>{author === undefined ? t('Note by an API key') : t('Note by {name}', { name: author })}</span>
        <Time at={created_datetime} seconds={false} />
        {may_delete && <IconButton label={t('Delete the note')} icon="trash" onClick={() => setAsking(true)} />}
      </p>
      {asking && (
        <Confirm
          title={t('Delete the note?')}
          action={t('Delete the note')}
          keep={t('Keep the note')}
          write={() => call('DELETE', `/notes/${id}`)}
          stale={['/conversations']}
          onClose={() => setAsking(false)}
        >
          <p>{text}</p>
        </Confirm>
      )}
    </div>
  )
}
