import type { ReactNode } from 'react'
import { usePages } from '../../read.ts'
import { Link } from '../../router.tsx'
import { number as written, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { channelName, MESSAGES } from '../messages/messages.ts'
import { joined, type Said } from './joined.ts'

const AT_ONCE = 30
const MEANT = { stop: t('opted out'), start: t('opted in'), help: t('asks for help') }

/** What was sent to a number and what it wrote, newest first. */
export function Conversation({ number }: { number: string }) {
  const sent = usePages(MESSAGES, 'messages', { recipient: number, limit: AT_ONCE })
  const received = usePages('/inbound', 'inbound', { from: number, limit: AT_ONCE })
  const error = sent.error ?? received.error
  if (error) return <Trouble error={error} />
  if (sent.loading || received.loading) return <Loading />
  const said = joined(
    { entries: sent.rows, more: sent.more !== undefined },
    { entries: received.rows, more: received.more !== undefined },
  )
  const more = sent.more !== undefined || received.more !== undefined
  return (
    <>
      <Table
        label={t('Messages and replies')}
        rows={said}
        rowKey={({ entry }) => entry.id}
        columns={[
          { title: t('When'), narrow: true, cell: ({ entry }) => <Time at={entry.created_datetime} /> },
          {
            title: t('Direction'),
            narrow: true,
            cell: ({ way }) => (
              <Badge
                status={way === 'sent' ? t('sent||direction of a message') : t('received||direction of a message')}
              />
            ),
          },
          { title: t('Text'), clip: true, cell: (one) => textOf(one) },
          { title: t('Status'), narrow: true, cell: (one) => statusOf(one) },
        ]}
        empty={
          more ? (
            <p className="soft contact-none">{t('No recent activity.')}</p>
          ) : (
            <Empty title={t('Nothing sent yet.')}>{t('Messages to and from this number are listed here.')}</Empty>
          )
        }
      />
      {more && (
        <p className="table-foot soft small">
          <span>{t('The newest {shown}', { shown: written(said.length) })}</span>
          <Button
            busy={sent.loading_more || received.loading_more}
            onClick={() => {
              sent.more?.()
              received.more?.()
            }}
          >
            {t('Show more')}
          </Button>
        </p>
      )}
    </>
  )
}

function textOf(one: Said): ReactNode {
  if (one.way === 'received') return one.entry.text
  const { id, content, template_id, match } = one.entry
  const to = match ? `/messages/${id}/${match.recipient}` : `/messages/${id}`
  return (
    <Link to={to}>{content ?? <i className="soft">{template_id ? t('from a template') : t('not stored')}</i>}</Link>
  )
}

function statusOf(one: Said): ReactNode {
  if (one.way === 'sent') return <Badge status={one.entry.match?.status ?? channelName(one.entry.channel)} />
  const { keyword } = one.entry
  return keyword === undefined ? <span className="soft">–</span> : <Badge status={MEANT[keyword]} />
}
