import type { FoundMessage, ShownDelivery } from '../../api-types.ts'
import { withQuery } from '../../api.ts'
import { useLiveRefresh } from '../../live.ts'
import { useRead } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { deliveryWords } from '../../ui/delivery-words.ts'
import { DataList } from '../../ui/DataList.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Charge } from './Charge.tsx'
import { channelName, MESSAGES } from './messages.ts'
import { StatusCounts } from './StatusCounts.tsx'
import { CancelMessage } from './CancelMessage.tsx'
import { Explanation } from './Explanation.tsx'
import { Timeline } from './Timeline.tsx'
import { useState } from 'react'

const ON_A_PAGE = 50
/** For the case that an event is lost. */
const EVERY_MS = 10_000

/** One message: content, recipients, and the timeline of the selected recipient. */
export function MessageView({ id, recipient }: { id: string; recipient: string | undefined }) {
  const [page, setPage] = useState(1)
  const found = useRead(withQuery(`${MESSAGES}/${id}`, { limit: ON_A_PAGE, page }), {
    keep: true,
    every_ms: EVERY_MS,
  })
  useLiveRefresh(MESSAGES)
  const message = found.data?.message
  const deliveries = found.data?.deliveries ?? []
  const scheduled = message?.statuses.scheduled ?? 0
  const tracked = deliveries.some(({ clicks }) => clicks !== undefined)
  const shown = recipient ?? deliveries[0]?.recipient
  return (
    <Page
      title={t('Message')}
      wide
      lead={
        <span className="row">
          <span className="mono">{id}</span> <CopyButton text={id} />
        </span>
      }
      actions={
        <>
          {scheduled > 0 && <CancelMessage id={id} count={scheduled} />}
          <Link to="/messages" className="button">
            {t('All messages')}
          </Link>
        </>
      }
    >
      <Pending read={found} />
      {message && (
        <div className="message">
          <div className="stack message-sheet">
            <Section title={t('Details')}>
              <Facts message={message} />
            </Section>
            {message.recipients_total > 1 && (
              <Section title={t('Recipients')} lead={t('{n} in total', { n: number(message.recipients_total) })} flush>
                <Table
                  label={t('Recipients')}
                  rows={deliveries}
                  rowKey={(delivery) => delivery.recipient}
                  selected={shown ?? ''}
                  onRow={(delivery) => go(`/messages/${id}/${delivery.recipient}`, { replace: true })}
                  columns={[
                    {
                      title: t('Number'),
                      cell: (delivery) => (
                        <Link to={`/messages/${id}/${delivery.recipient}`}>
                          <Phone number={delivery.recipient} />
                        </Link>
                      ),
                    },
                    {
                      title: t('Status'),
                      narrow: true,
                      cell: ({ status, advice, description }) => (
                        <>
                          <Badge status={status} />
                          {advice !== undefined && description !== undefined && (
                            <span className="soft small second-line"> {deliveryWords(description)}</span>
                          )}
                        </>
                      ),
                    },
                    ...(tracked ? [CLICKS] : []),
                    { title: t('Pages'), number: true, narrow: true, cell: ({ pages }) => pages },
                    {
                      title: t('Charge||what a message cost'),
                      number: true,
                      narrow: true,
                      cell: ({ charge, refunded }) => <Charge charge={charge} refunded={refunded ? charge : 0} />,
                    },
                  ]}
                  empty={<Empty title={t('No recipients on this page.')} />}
                />
                {message.recipients_total > ON_A_PAGE && (
                  <p className="table-foot">
                    {page > 1 && (
                      <Button icon="left" onClick={() => setPage(page - 1)}>
                        {t('Previous')}
                      </Button>
                    )}
                    <span className="soft small">
                      {t('Page {page} of {pages}', {
                        page,
                        pages: Math.ceil(message.recipients_total / ON_A_PAGE),
                      })}
                    </span>
                    {page * ON_A_PAGE < message.recipients_total && (
                      <Button onClick={() => setPage(page + 1)}>{t('Next')}</Button>
                    )}
                  </p>
                )}
              </Section>
            )}
          </div>
          <div className="stack message-sheet">
            <Section
              title={
                shown === undefined ? t('What happened') : t('What happened at {phone}', { phone: phoneText(shown) })
              }
            >
              {shown === undefined ? (
                <Empty title={t('Choose a recipient.')}>{t('Its history appears here, step by step.')}</Empty>
              ) : (
                <Timeline id={id} recipient={shown} />
              )}
            </Section>
            {shown !== undefined && (
              <Section title={t('Explanation||of a message')}>
                <Explanation id={id} recipient={shown} />
              </Section>
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

const CLICKS: Column<ShownDelivery> = {
  title: t('Clicks'),
  number: true,
  narrow: true,
  cell: ({ clicks }) => clicks ?? <span className="soft">–</span>,
}

function Facts({ message }: { message: FoundMessage }) {
  return (
    <>
      <blockquote className="message-text">
        {message.content ??
          (message.template_id
            ? t('The text came from a template.')
            : t('The text of a one-time password is not stored.'))}
      </blockquote>
      <DataList
        items={[
          [t('Status'), <StatusCounts statuses={message.statuses} />],
          [t('Scheduled for'), message.send_at && <Time at={message.send_at} zoned />],
          [message.send_at ? t('Created') : t('Sent||when'), <Time at={message.created_datetime} />],
          [t('From||sender'), message.sender_id],
          [t('Channel'), channelName(message.channel)],
          [t('Reference'), message.external_ref],
          [
            t('Template'),
            message.template_id && <Link to={`/templates/${message.template_id}`}>{t('Show it||the template')}</Link>,
          ],
          [t('Charge||what a message cost'), <Charge {...message} />],
        ]}
      />
    </>
  )
}
