import { useContext, useLayoutEffect, useRef, useState } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { IconButton, ReadOnly } from '../../ui/Button.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { Time } from '../../ui/Time.tsx'
import { isStandIn, wordsOf, type Choice } from '../../ui/whatsapp/content.ts'
import { AttachButton } from '../../ui/AttachButton.tsx'
import { Attached, useAttachment } from '../../ui/whatsapp/Attachment.tsx'
import { Above, Below } from '../../ui/whatsapp/Parts.tsx'
import { withTemplate } from '../conversations/template-content.ts'
import { WHATSAPP } from '../templates/whatsapp.ts'
import { BubbleText } from './BubbleText.tsx'
import { bubbleOf, type Bubble, type Shown } from './handsets.ts'

/** What the owner of a phone sends. */
type Answer = { to: string; channel: string; text?: string; whatsapp?: object; media_id?: string }

/** A phone with its screen: bubbles from their senders, and a line to answer. */
export function Handset({ handset, onReply }: { handset: Shown; onReply: (bubble: Bubble) => void }) {
  const { number, bubbles } = handset
  const screen = useRef<HTMLDivElement>(null)
  const last = bubbles.at(-1)
  const read_only = useContext(ReadOnly)
  const reply = useWrite(
    (answer: Answer) => call('POST', '/sandbox/reply', { from: number, ...answer }),
    ['/optouts', '/inbound'],
  )
  const send = (answer: Answer, onDone?: () => void) => {
    reply.mutate(answer, {
      onSuccess: (received) => {
        onReply(bubbleOf(received, answer.media_id))
        onDone?.()
      },
    })
  }
  const choose = ({ message_id, ...bubble }: Bubble, { kind, id, title, description }: Choice) => {
    const chosen = { id, title, ...(description === undefined ? {} : { description }) }
    send({ ...wayTo(bubble), whatsapp: { [kind]: chosen, reply_to: message_id } })
  }
  useLayoutEffect(() => {
    screen.current?.scrollTo({ top: screen.current.scrollHeight })
  }, [last?.id])
  const newest = bubbles.findLast(({ mine }) => !mine)
  return (
    <article className="handset" aria-label={t('Phone {number}', { number: phoneText(number) })}>
      <header className="handset-head">
        <span className="handset-ear" />
        <h2>
          <Phone number={number} />
        </h2>
      </header>
      <div
        className="handset-screen"
        ref={screen}
        tabIndex={0}
        role="log"
        aria-label={t('Messages on {number}', { number: phoneText(number) })}
      >
        {bubbles.length === 0 && <p className="handset-nothing soft">{t('No messages received yet.')}</p>}
        {bubbles.map((bubble, index) => (
          <BubbleView
            key={bubble.id}
            bubble={bubble}
            before={bubbles[index - 1]}
            quoted={bubbles.find(({ message_id }) => message_id === bubble.whatsapp?.reply_to)}
            onChoose={read_only || bubble.mine ? undefined : (choice) => choose(bubble, choice)}
          />
        ))}
      </div>
      {!read_only && (
        <Reply
          number={number}
          newest={newest}
          busy={reply.isPending}
          error={reply.error?.faults[0]?.message ?? reply.error?.message}
          onSend={send}
        />
      )}
    </article>
  )
}

/** The sender that an answer goes to, on the same channel. On WhatsApp there is always one. */
function wayTo({ sender_id, channel }: Pick<Bubble, 'sender_id' | 'channel'>) {
  return { to: sender_id ?? 'WhatsApp', channel }
}

function BubbleView({
  bubble,
  before,
  quoted,
  onChoose,
}: {
  bubble: Bubble
  before: Bubble | undefined
  quoted: Bubble | undefined
  onChoose: ((choice: Choice) => void) | undefined
}) {
  const same = before !== undefined && before.sender_id === bubble.sender_id && before.mine === bubble.mine
  const { whatsapp, text, mine, media } = bubble
  const at_meta = useRead(whatsapp?.template ? WHATSAPP : null).data?.templates ?? []
  const content = whatsapp && withTemplate(whatsapp, at_meta)
  return (
    <div className={mine ? 'bubble-row mine' : 'bubble-row'}>
      {!mine && !same && <p className="bubble-from soft small">{senderText(bubble)}</p>}
      <div className="bubble">
        {quoted && <p className="bubble-quote small">{wordsOf(quoted.text)}</p>}
        {content && <Above content={content} received={media} />}
        {!isStandIn(text, whatsapp, media) && <BubbleText text={wordsOf(text)} codes={!mine} />}
        {content && <Below content={content} onChoose={onChoose} />}
      </div>
      <p className="bubble-time soft">
        <Time at={bubble.created_datetime} seconds={false} />
      </p>
    </div>
  )
}

function senderText({ sender_id, channel }: Bubble): string {
  if (sender_id === undefined) return 'WhatsApp'
  return channel === 'whatsapp' ? t('{sender} on WhatsApp', { sender: sender_id }) : sender_id
}

function Reply({
  number,
  newest,
  busy,
  error,
  onSend,
}: {
  number: string
  newest: Bubble | undefined
  busy: boolean
  error: string | undefined
  onSend: (answer: Answer, onDone: () => void) => void
}) {
  const [text, setText] = useState('')
  const attachment = useAttachment()
  const { media } = attachment.state ?? {}
  const way = newest && (newest.sender_id !== undefined || newest.channel === 'whatsapp') ? wayTo(newest) : undefined
  const takes_files = way?.channel === 'whatsapp'
  function send() {
    const words = text.trim() === '' ? {} : { text }
    if (way === undefined || busy || attachment.busy || !('text' in words || media)) return
    onSend({ ...way, ...words, ...(media ? { media_id: media.id } : {}) }, () => {
      setText('')
      attachment.remove()
    })
  }
  return (
    <form
      className="handset-reply"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <input
        aria-label={t('Answer from {number}', { number: phoneText(number) })}
        placeholder={way === undefined ? t('No reply possible') : t('Answer {to}, or STOP', { to: way.to })}
        value={text}
        disabled={way === undefined}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
      />
      {takes_files && <AttachButton attachment={attachment} icon_only />}
      <IconButton
        label={t('Send the answer')}
        icon="send"
        type="submit"
        busy={busy || attachment.busy}
        blocked={way === undefined ? t('the message has no number to reply to') : undefined}
      />
      <Attached attachment={attachment} />
      {error !== undefined && (
        <p className="faults" role="alert">
          {error}
        </p>
      )}
    </form>
  )
}
