import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Assignee, ConversationMessage } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import { useZone } from '../../ui/date/zone.ts'
import { shortTime } from '../../ui/Time.tsx'
import { AnswerBox } from './AnswerBox.tsx'
import { ContactCard } from './ContactCard.tsx'
import { Entry, type Talk } from './Entry.tsx'
import { arrange } from './thread.ts'
import { ThreadHead } from './ThreadHead.tsx'
import { useWindow } from './window.ts'

/** For files that are being downloaded, and in case an event is lost. */
const EVERY_MS = 10_000

/**
 * The messages from and to one number, the newest at the bottom, a box to reply, and the contact beside them; on narrow
 * screens in a window.
 */
export function Thread({ phone, back, assignees }: { phone: string; back: string; assignees: readonly Assignee[] }) {
  const { right } = useSession()
  const zone = useZone()
  const pages = usePages(`/conversations/${phone}`, 'messages', { limit: 50 }, { every_ms: EVERY_MS })
  const [showing, setShowing] = useState(false)
  const conversation = pages.first?.conversation
  const may_answer = right('sms') === 'change'
  const may_see_contact = right('lists') !== 'none'
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
  const { shown, by_id, reactions } = useMemo(() => arrange(pages.rows), [pages.rows])
  const [quoting, setQuoting] = useState<ConversationMessage>()
  const is_open = useWindow(conversation?.window_until)
  const screen = useRef<HTMLDivElement>(null)
  const newest = pages.rows[0]?.id
  useLayoutEffect(() => {
    screen.current?.scrollTo({ top: screen.current.scrollHeight })
  }, [newest])
  if (pages.loading) return <Loading />
  if (!conversation) return <div className="panel">{pages.error && <Trouble error={pages.error} />}</div>
  const name = conversation.contact?.name ?? phoneText(phone)
  const talk: Talk = {
    phone,
    name,
    may_answer,
    find: (id) => by_id.get(id),
    reactionsTo: (id) => reactions.get(id),
    onReply: may_answer && is_open && !conversation.opted_out ? setQuoting : undefined,
  }
  const card = <ContactCard phone={conversation.phone} contact={conversation.contact} />
  return (
    <>
      <section className="conversation panel flush" aria-label={t('Conversation with {phone}', { phone: name })}>
        <ThreadHead
          conversation={conversation}
          assignees={assignees}
          back={back}
          may_answer={may_answer}
          onContact={may_see_contact ? () => setShowing(true) : undefined}
        />
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
                ` ${t('Searched back to {time}.', { time: shortTime(new Date(pages.searched_until), zone) })}`}
            </p>
          )}
          {shown.toReversed().map((entry) => (
            <Entry key={entry.id} entry={entry} talk={talk} />
          ))}
        </div>
        {may_answer && (
          <AnswerBox
            conversation={conversation}
            is_open={is_open}
            quoting={quoting && { ...quoting, name }}
            onQuoted={() => setQuoting(undefined)}
          />
        )}
      </section>
      {may_see_contact && <aside className="conversation-contact panel">{card}</aside>}
      {showing && (
        <Dialog title={t('Contact')} drawer wide onClose={() => setShowing(false)}>
          {card}
        </Dialog>
      )}
    </>
  )
}
