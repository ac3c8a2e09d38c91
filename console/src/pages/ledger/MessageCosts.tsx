import { usePages } from '../../read.ts'
import { Link } from '../../router.tsx'
import { plural, t } from '../../text/text.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { TimeLink } from '../../ui/TimeLink.tsx'
import { messageTo } from '../messages/messages.ts'
import type { LedgerFilter } from './filter.ts'

const EVERY_MS = 5_000

/** The cost of each message: charged, refunded and net. */
export function MessageCosts({ filter: { from, until, external_ref } }: { filter: LedgerFilter }) {
  const pages = usePages(
    '/balance/messages',
    'messages',
    { from, until, external_ref, group: 'campaign', limit: 50 },
    { every_ms: EVERY_MS },
  )
  return (
    <Section flush>
      <PagedTable
        label={t('Messages')}
        pages={pages}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('When'),
            narrow: true,
            cell: ({ id, created_datetime, recipients }) => (
              <TimeLink to={`/messages/${id}`} at={created_datetime} about={messageTo(recipients)} />
            ),
          },
          {
            title: t('To||recipient'),
            cell: ({ recipients, recipients_total, campaign }) => (
              <>
                {campaign && <Link to={`/campaigns/${campaign.id}`}>{campaign.name}</Link>}{' '}
                {recipients[0] === undefined ? '–' : <Phone number={recipients[0]} />}
                {recipients_total > 1 && (
                  <span className="soft small">
                    {' '}
                    {plural(recipients_total - 1, 'and {n} more||one recipient', 'and {n} more||recipients')}
                  </span>
                )}
              </>
            ),
          },
          {
            title: t('Reference'),
            narrow: true,
            minor: true,
            cell: ({ external_ref: reference }) => reference ?? <span className="soft">–</span>,
          },
          {
            title: t('Charge||what a message cost'),
            number: true,
            narrow: true,
            cell: ({ charge }) => <Money amount={charge} />,
          },
          { title: t('Refund'), number: true, narrow: true, cell: ({ refunded }) => <Money amount={refunded} /> },
          { title: t('Net'), number: true, narrow: true, cell: ({ net }) => <Money amount={net} /> },
        ]}
        empty={
          <Empty title={t('No messages in this period.')}>{t('Choose another period, or clear the search.')}</Empty>
        }
      />
    </Section>
  )
}
