import type { KeyboardEvent } from 'react'
import type { ListedConversation } from '../../../../clients/typescript/src/types.ts'
import type { Pages } from '../../read.ts'
import { Link } from '../../router.tsx'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Time } from '../../ui/Time.tsx'
import { wordsOf } from '../../ui/whatsapp/content.ts'

/** The conversations of a view. The arrow keys, Home and End go from one to another; Tab leaves the list. */
export function Inbox({
  pages,
  phone,
  linkTo,
}: {
  pages: Pages<ListedConversation>
  /** The one that is open. */
  phone: string | undefined
  linkTo: (phone: string) => string
}) {
  const reached = pages.rows.find((one) => one.phone === phone) ?? pages.rows[0]
  return (
    <>
      <ul>
        {pages.rows.map((one) => (
          <li key={one.phone}>
            <Link
              to={linkTo(one.phone)}
              aria-current={one.phone === phone ? 'true' : undefined}
              tabIndex={one === reached ? 0 : -1}
              onKeyDown={moveFocus}
            >
              <span className="conversations-who">
                <span className="conversations-text">{one.contact?.name ?? <Phone number={one.phone} />}</span>
                {one.unread > 0 && (
                  <span className="conversations-unread">
                    {one.unread}
                    <span className="unseen"> {plural(one.unread, 'unread||one text', 'unread||several texts')}</span>
                  </span>
                )}
              </span>
              <span className="conversations-last soft small">
                <span className="conversations-text">
                  {one.direction === 'out' ? t('You: {text}', { text: textOf(one) }) : textOf(one)}
                </span>
                <Time at={one.created_datetime} seconds={false} />
              </span>
              {(one.assignee || one.status === 'closed') && (
                <span className="conversations-last soft small">
                  <span className="conversations-text">{one.assignee?.name}</span>
                  {one.status === 'closed' && <span>{t('closed||a conversation')}</span>}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {pages.more && (
        <p className="table-foot">
          <Button onClick={pages.more} busy={pages.loading_more}>
            {t('Show more')}
          </Button>
        </p>
      )}
    </>
  )
}

function moveFocus(event: KeyboardEvent<HTMLAnchorElement>) {
  // With Alt they open one.
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const links = [...(event.currentTarget.closest('ul')?.querySelectorAll('a') ?? [])]
  const at = links.indexOf(event.currentTarget)
  const to = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: links.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  links[to]?.focus()
}

function textOf({ text }: ListedConversation): string {
  return text === undefined ? t('no longer stored') : wordsOf(text)
}
