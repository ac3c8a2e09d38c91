import { useState } from 'react'
import type { FoundMessage } from '../../api-types.ts'
import { ApiError, download, withQuery } from '../../api.ts'
import { useLiveRefresh } from '../../live.ts'
import { usePages } from '../../read.ts'
import { go, Link, useRoute } from '../../router.tsx'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { momentsOf } from '../../ui/date/date-range.ts'
import { useZone } from '../../ui/date/zone.ts'
import { deliveryWords } from '../../ui/delivery-words.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { TimeLink } from '../../ui/TimeLink.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CampaignName, CampaignParts } from './CampaignParts.tsx'
import { Charge } from './Charge.tsx'
import { Direction } from './Direction.tsx'
import { Filters } from './Filters.tsx'
import { channelName, MESSAGES, messageTo } from './messages.ts'
import { SavedViews } from './SavedViews.tsx'
import { MainStatus } from './StatusCounts.tsx'

/** Every message, newest first, as it changes. */
export function MessageList() {
  const { query } = useRoute()
  const zone = useZone()
  const filter = readFilter(query, zone)
  const filtered = Object.values(filter).some(Boolean)
  const messages = usePages(MESSAGES, 'messages', { ...filter, limit: 50 })
  const [expanded, expand] = useState<string>()
  useLiveRefresh(MESSAGES)
  return (
    <Page
      title={t('Messages')}
      lead={t('Sent messages, their recipients and their status. The list updates live.')}
      wide
      actions={
        <>
          <Direction value="sent" />
          <Export filter={filter} />
          <Link to="/send" className="button main">
            {t('Send a message')}
          </Link>
        </>
      }
    >
      <div className="stack messages-search">
        <SavedViews query={query} />
        <Filters query={query} />
      </div>
      <Section flush>
        <PagedTable
          label={t('Messages')}
          pages={messages}
          rowKey={({ id }) => id}
          onRow={(message) => go(pageOf(message))}
          below={({ campaign }) =>
            campaign?.messages !== undefined && campaign.id === expanded ? <CampaignParts id={expanded} /> : undefined
          }
          columns={[
            {
              title: t('Sent||when'),
              narrow: true,
              phone: 'when',
              cell: (message) => (
                <TimeLink
                  to={message.campaign?.messages === undefined ? `/messages/${message.id}` : pageOf(message)}
                  at={message.created_datetime}
                  about={message.campaign?.name ?? messageTo(message.recipients)}
                />
              ),
            },
            {
              title: t('To||recipient'),
              narrow: true,
              phone: 'lead',
              cell: (message) => <Recipients message={message} />,
            },
            {
              title: t('Text'),
              clip: true,
              phone: 'rest',
              cell: ({ content, template_id, campaign }) => (
                <>
                  {campaign && <CampaignName campaign={campaign} expanded={campaign.id === expanded} expand={expand} />}{' '}
                  {content ?? <i className="soft">{template_id ? t('from a template') : t('not stored')}</i>}
                </>
              ),
            },
            { title: t('Channel'), narrow: true, minor: true, cell: ({ channel }) => channelName(channel) },
            {
              title: t('From||sender'),
              narrow: true,
              minor: true,
              cell: ({ sender_id }) => sender_id ?? <span className="soft">–</span>,
            },
            {
              title: t('Reference'),
              narrow: true,
              minor: true,
              cell: ({ external_ref }) => external_ref ?? <span className="soft">–</span>,
            },
            {
              title: t('Status'),
              narrow: true,
              phone: 'state',
              cell: (message) => (
                <>
                  <MainStatus message={message} />
                  {message.match?.advice !== undefined && message.match.description !== undefined && (
                    <span className="soft small second-line"> {deliveryWords(message.match.description)}</span>
                  )}
                </>
              ),
            },
            {
              title: t('Charge||what a message cost'),
              number: true,
              narrow: true,
              cell: (message) => <Charge {...message} />,
            },
          ]}
          empty={
            filtered ? (
              <Empty title={t('Nothing matches.')}>
                <Button onClick={() => go('/messages')}>{t('Show all messages')}</Button>
              </Empty>
            ) : (
              <Empty title={t('No messages yet.')}>
                <p>{t('Send one here, or through the API, and watch it arrive.')}</p>
                <Link to="/send" className="button" changes>
                  {t('Send a message')}
                </Link>
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

/** The campaign, where a row stands for all of its messages; the delivery that was searched for; or the message. */
function pageOf({ id, match, campaign }: FoundMessage): string {
  if (campaign?.messages !== undefined) return `/campaigns/${campaign.id}`
  return match ? `/messages/${id}/${match.recipient}` : `/messages/${id}`
}

function Recipients({ message }: { message: FoundMessage }) {
  const shown = message.match?.recipient ?? message.recipients[0]
  const others = message.recipients_total - 1
  return (
    <span className="nowrap">
      {shown === undefined ? '–' : <Phone number={shown} />}
      {others > 0 && (
        <span className="soft small second-line">
          {' '}
          {plural(others, 'and {n} more||one recipient', 'and {n} more||recipients')}
        </span>
      )}
    </span>
  )
}

function Export({ filter }: { filter: Filter }) {
  const [busy, setBusy] = useState(false)
  const say = useSay()
  async function run() {
    setBusy(true)
    try {
      await download(withQuery(`${MESSAGES}.csv`, filter), 'messages.csv')
    } catch (fault) {
      say(fault instanceof ApiError ? fault.message : t('The file could not be created.'), 'bad')
    }
    setBusy(false)
  }
  return (
    <Button icon="export" busy={busy} onClick={() => void run()}>
      {t('Export CSV')}
    </Button>
  )
}

type Filter = Record<'text' | 'status' | 'from' | 'until', string | undefined>

function readFilter({ q, status, ...time }: Record<string, string>, zone: string): Filter {
  const { from, until } = momentsOf(time, zone)
  return { text: q?.trim() || undefined, status, from: from?.toISOString(), until: until?.toISOString() }
}
