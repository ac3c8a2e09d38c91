import { useContext, useLayoutEffect, useRef, useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { IconButton, ReadOnly } from '../../ui/Button.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { Time } from '../../ui/Time.tsx'
import { BubbleText } from './BubbleText.tsx'
import { bubbleOf, type Bubble, type Shown } from './handsets.ts'

/** A phone with its screen: bubbles from their senders, and a line to answer. */
export function Handset({ handset, onReply }: { handset: Shown; onReply: (bubble: Bubble) => void }) {
  const { number, bubbles } = handset
  const screen = useRef<HTMLDivElement>(null)
  const last = bubbles.at(-1)
  const read_only = useContext(ReadOnly)
  useLayoutEffect(() => {
    screen.current?.scrollTo({ top: screen.current.scrollHeight })
  }, [last?.id])
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
          <BubbleView key={bubble.id} bubble={bubble} before={bubbles[index - 1]} />
        ))}
      </div>
      {!read_only && <Reply number={number} to={bubbles.findLast(({ mine }) => !mine)?.sender_id} onReply={onReply} />}
    </article>
  )
}

function BubbleView({ bubble, before }: { bubble: Bubble; before: Bubble | undefined }) {
  const same = before !== undefined && before.sender_id === bubble.sender_id && before.mine === bubble.mine
  return (
    <div className={bubble.mine ? 'bubble-row mine' : 'bubble-row'}>
      {!bubble.mine && !same && <p className="bubble-from soft small">{senderText(bubble)}</p>}
      <div className="bubble">
        <BubbleText text={bubble.text} codes={!bubble.mine} />
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

function Reply({ number, to, onReply }: { number: string; to: string | undefined; onReply: (bubble: Bubble) => void }) {
  const [text, setText] = useState('')
  const reply = useWrite(
    (body: { from: string; to: string; text: string }) => call('POST', '/sandbox/reply', body),
    ['/optouts', '/inbound'],
  )
  function send() {
    if (to === undefined || text.trim() === '') return
    reply.mutate(
      { from: number, to, text },
      {
        onSuccess: (received) => {
          onReply(bubbleOf(received))
          setText('')
        },
      },
    )
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
        placeholder={to === undefined ? t('No reply possible') : t('Answer {to}, or STOP', { to })}
        value={text}
        disabled={to === undefined}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
      />
      <IconButton
        label={t('Send the answer')}
        icon="send"
        type="submit"
        busy={reply.isPending}
        blocked={to === undefined ? t('the message has no number to reply to') : undefined}
      />
      {reply.error && (
        <p className="faults" role="alert">
          {reply.error.faults[0]?.message ?? reply.error.message}
        </p>
      )}
    </form>
  )
}
