import { useEffect, useState } from 'react'
import { useLiveRefresh } from '../../live.ts'
import type { PageProps } from '../../page-props.ts'
import { usePages, useRead } from '../../read.ts'
import { changeQuery, go, Link, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { useSettled } from '../../settled.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Page } from '../../ui/Page.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { Inbox } from './Inbox.tsx'
import { Thread } from './Thread.tsx'
import { FIRST_VIEW, viewsOf } from './views.ts'
import './conversations.css'

const PATH = '/conversations'
/** For the case that an event is lost. */
const EVERY_MS = 15_000
const TYPING_MS = 300

/** `#/conversations` lists conversations, `#/conversations/<number>` shows one beside them. Phones show one or the other. */
export default function Conversations({ rest: [phone] }: PageProps) {
  const { session } = useSession()
  const { query } = useRoute()
  const assignees = useRead(`${PATH}/assignees`).data?.assignees ?? []
  const views = viewsOf(session.user.id, assignees)
  const view = views.find(({ value }) => value === query.show) ?? views[0]
  const [typed, setTyped] = useState(query.q ?? '')
  const q = useSettled(typed.trim(), TYPING_MS)
  useEffect(() => changeQuery({ q }), [q])
  const pages = usePages(PATH, 'conversations', { ...view?.query, q, limit: 50 }, { every_ms: EVERY_MS })
  useLiveRefresh(PATH)
  const linkTo = (to: string | undefined) => withSearch(to === undefined ? PATH : `${PATH}/${to}`, query)
  useStepKeys(
    pages.rows.map((one) => one.phone),
    phone,
    (to) => go(linkTo(to)),
  )
  const is_filtered = q !== '' || view?.value !== FIRST_VIEW
  const is_empty = !pages.loading && !pages.error && pages.rows.length === 0
  const any = useRead(is_empty && !is_filtered ? `${PATH}?limit=1` : null)
  const is_new = is_empty && !is_filtered && any.data?.conversations.length === 0
  return (
    <Page title={t('Conversations')} wide lead={t('Incoming messages and your replies. Reply from here.')}>
      {is_new && phone === undefined ? (
        <NoConversations />
      ) : (
        <div className={phone === undefined ? 'conversations' : 'conversations chosen'}>
          <nav className="conversations-list panel flush" aria-label={t('Conversations')}>
            <div className="conversations-filters">
              <SearchField label={t('Search by name, number or text')} value={typed} onChange={setTyped} />
              <Select
                label={t('Show||which conversations')}
                value={view?.value ?? FIRST_VIEW}
                onChange={(value) => changeQuery({ show: value === FIRST_VIEW ? undefined : value })}
                choices={views}
              />
            </div>
            {pages.loading && <Loading />}
            {pages.error && pages.rows.length === 0 && <Trouble error={pages.error} />}
            {is_empty && (
              <Empty title={t('No such conversations.')}>
                {is_filtered && (
                  <Button
                    onClick={() => {
                      setTyped('')
                      changeQuery({ q: undefined, show: undefined })
                    }}
                  >
                    {t('Show all open ones||conversations')}
                  </Button>
                )}
              </Empty>
            )}
            <Inbox pages={pages} phone={phone} linkTo={linkTo} />
          </nav>
          {phone === undefined ? (
            <div className="conversations-none panel soft">{t('Choose a conversation to read it.')}</div>
          ) : (
            <Thread key={phone} phone={phone} back={linkTo(undefined)} assignees={assignees} />
          )}
        </div>
      )}
    </Page>
  )
}

function withSearch(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/** Alt and an arrow open the next or the previous conversation, also while a reply is being written: drafts are kept. */
function useStepKeys(phones: readonly string[], current: string | undefined, open: (phone: string) => void): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (document.querySelector('dialog[open]')) return
      const at = current === undefined ? -1 : phones.indexOf(current)
      const next = phones[Math.max(0, at + step)]
      event.preventDefault()
      if (next !== undefined && next !== current) open(next)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
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
