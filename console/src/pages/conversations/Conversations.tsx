import type { ListedConversation } from '../../../../clients/typescript/src/types.ts'
import { usePages } from '../../read.ts'
import { useLiveRefresh } from '../../live.ts'
import type { PageProps } from '../../page-props.ts'
import { Link } from '../../router.tsx'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Time } from '../../ui/Time.tsx'
import { Thread } from './Thread.tsx'
import './conversations.css'

const PATH = '/conversations'
/** For the case that an event is lost. */
const EVERY_MS = 15_000

/** `#/conversations` lists all conversations, `#/conversations/<number>` shows one. Phones show one or the other. */
export default function Conversations({ rest: [phone] }: PageProps) {
  const pages = usePages(PATH, 'conversations', { limit: 50 }, { every_ms: EVERY_MS })
  useLiveRefresh(PATH)
  return (
    <Page title={t('Conversations')} wide lead={t('Incoming messages and your replies. Reply from here.')}>
      {pages.loading && <Loading />}
      {pages.error && pages.rows.length === 0 && <Trouble error={pages.error} />}
      {!pages.loading && !pages.error && pages.rows.length === 0 && <NoConversations />}
      {pages.rows.length > 0 && (
        <div className={phone === undefined ? 'conversations' : 'conversations chosen'}>
          <nav className="conversations-list panel flush" aria-label={t('Conversations')}>
            <ul>
              {pages.rows.map((one) => (
                <li key={one.phone}>
                  <Link to={`${PATH}/${one.phone}`} aria-current={one.phone === phone ? 'true' : undefined}>
                    <span className="conversations-who">
                      <Phone number={one.phone} />
                      {one.unread > 0 && (
                        <span className="conversations-unread">
                          {one.unread}
                          <span className="unseen">
                            {' '}
                            {plural(one.unread, 'unread||one text', 'unread||several texts')}
                          </span>
                        </span>
                      )}
                    </span>
                    <span className="conversations-last soft small">
                      <span className="conversations-text">
                        {one.direction === 'out' ? t('You: {text}', { text: textOf(one) }) : textOf(one)}
                      </span>
                      <Time at={one.created_datetime} seconds={false} />
                    </span>
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
          </nav>
          {phone === undefined ? (
            <div className="conversations-none panel soft">{t('Choose a conversation to read it.')}</div>
          ) : (
            <Thread key={phone} phone={phone} />
          )}
        </div>
      )}
    </Page>
  )
}

function textOf({ text }: ListedConversation): string {
  return text ?? t('no longer kept')
}

function NoConversations() {
  return (
    <Empty title={t('No incoming messages yet.')}>
      <p>{t('A conversation starts with an incoming message. To try it, reply to a message on a virtual phone.')}</p>
      <Link to="/phones" className="button">
        {t('Go to the phones')}
      </Link>
    </Empty>
  )
}
