import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ConversationMessage } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { shortTime, Time } from '../../ui/Time.tsx'
import { AnswerBox } from './AnswerBox.tsx'

/** What went to and fro with one number, the newest at the bottom, and a box to answer. */
export function Thread({ phone }: { phone: string }) {
  const { right } = useSession()
  const pages = usePages(`/conversations/${phone}`, 'messages', { limit: 50 })
  const conversation = pages.first?.conversation
  const may_answer = right('sms') === 'change'
  const read = useWrite(
    (received: number) => call('POST', `/conversations/${phone}/read`, { received }),
    ['/conversations'],
  )
  const unread = conversation?.unread ?? 0
  const received = conversation?.received ?? 0
  const { mutate } = read
  useEffect(() => {
    if (may_answer && unread > 0) mutate(received)
  }, [may_answer, unread, received, mutate])
  const screen = useRef<HTMLDivElement>(null)
  const newest = pages.rows[0]?.id
  useLayoutEffect(() => {
    screen.current?.scrollTo({ top: screen.current.scrollHeight })
  }, [newest])
  if (pages.loading) return <Loading />
  if (!conversation) return <div className="panel">{pages.error && <Trouble error={pages.error} />}</div>
  return (
    <section
      className="conversation panel flush"
      aria-label={t('Conversation with {phone}', { phone: phoneText(phone) })}
    >
      <header className="conversation-head">
        <Link to="/conversations" className="button conversation-back">
          {t('All||conversations')}
        </Link>
        <h2>
          <Phone number={phone} />
        </h2>
        {conversation.opted_out && <Badge status="opted out" tone="warn" />}
      </header>
      <div
        className="conversation-screen"
        ref={screen}
        tabIndex={0}
        role="log"
        aria-label={t('Texts||of a conversation')}
      >
        {pages.more && (
          <p className="conversation-earlier soft small">
            <Button onClick={pages.more} busy={pages.loading_more}>
              {t('Show earlier')}
            </Button>
            {pages.searched_until !== undefined &&
              ` ${t('Searched back to {time}.', { time: shortTime(new Date(pages.searched_until)) })}`}
          </p>
        )}
        {pages.rows.toReversed().map((message) => (
          <Text key={message.id} message={message} phone={phone} />
        ))}
      </div>
      {may_answer && <AnswerBox conversation={conversation} />}
    </section>
  )
}

const WORDS: Record<string, string> = {
  stop: t('opted out||status'),
  start: t('opted in||status'),
  help: t('asks for help||status'),
}

function Text({ message, phone }: { message: ConversationMessage; phone: string }) {
  const { id, direction, text, status, channel, keyword, description, created_datetime, send_at } = message
  return (
    <div className={direction === 'out' ? 'talk mine' : 'talk'}>
      <p className="talk-text">{text ?? <i>{t('No longer kept.')}</i>}</p>
      <p className="talk-foot soft small">
        {direction === 'out' ? (
          <Link to={`/messages/${id}/${phone}`}>
            <Time at={created_datetime} seconds={false} />
          </Link>
        ) : (
          <Time at={created_datetime} seconds={false} />
        )}
        {channel === 'whatsapp' && <span>WhatsApp</span>}
        {status !== undefined && <Badge status={status} />}
        {keyword !== undefined && <Badge status={WORDS[keyword] ?? keyword} />}
        {status === 'scheduled' && send_at !== undefined && (
          <span>
            <Rich text="goes {time}" values={{ time: <Time at={send_at} seconds={false} /> }} />
          </span>
        )}
        {(status === 'rejected' || status === 'undelivered' || status === 'failed') && <span>{description}</span>}
      </p>
    </div>
  )
}
