import { useState } from 'react'
import type { PageProps } from '../../pages.ts'
import { usePages } from '../../read.ts'
import { changeQuery, go, Link, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { BuyAirtime } from './BuyAirtime.tsx'
import { PurchaseView } from './PurchaseView.tsx'
import { Review } from './Review.tsx'

/** No event tells of a purchase; one that is under way is over within seconds. */
const EVERY_MS = 3_000

/** Airtime: what was bought for whom, and what waits for somebody to decide. */
export default function Airtime({ rest: [id] }: PageProps) {
  const { operator } = useSession()
  const { query } = useRoute()
  const [buying, setBuying] = useState(false)
  const purchases = usePages('/airtime', 'purchases', { external_ref: query.q, limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Page
      title="Airtime"
      lead="Bought at once, charged at once, and given back when the network did not take it."
      actions={
        <Button look="main" onClick={() => setBuying(true)}>
          Buy airtime
        </Button>
      }
    >
      <Section
        title="Purchases"
        flush
        actions={
          <SearchField
            label="Search by reference"
            value={query.q ?? ''}
            onChange={(value) => changeQuery({ q: value })}
          />
        }
      >
        <PagedTable
          label="Purchases"
          pages={purchases}
          rowKey={(purchase) => purchase.id}
          onRow={(purchase) => go(`/airtime/${purchase.id}`)}
          columns={[
            {
              title: 'Bought',
              narrow: true,
              cell: (purchase) => (
                <Link to={`/airtime/${purchase.id}`}>
                  <Time at={purchase.created_datetime} />
                </Link>
              ),
            },
            { title: 'For', cell: ({ recipient }) => <Phone number={recipient} /> },
            { title: 'Network', narrow: true, cell: ({ network }) => network },
            { title: 'Amount', number: true, narrow: true, cell: ({ meta }) => <Money amount={meta.charge.amount} /> },
            {
              title: 'Status',
              narrow: true,
              cell: ({ status, meta }) => (
                <>
                  <Badge status={status} />
                  {meta.charge.refunded && <span className="soft small"> refunded</span>}
                </>
              ),
            },
            {
              title: 'Reference',
              narrow: true,
              minor: true,
              cell: ({ external_ref }) => external_ref ?? <span className="soft">–</span>,
            },
          ]}
          empty={
            query.q ? (
              <Empty title="No purchase has this reference.">It must be written exactly as it was given.</Empty>
            ) : (
              <Empty title="No airtime was bought yet.">
                <p>Buy some here, or through the API.</p>
                <Button onClick={() => setBuying(true)}>Buy airtime</Button>
              </Empty>
            )
          }
        />
      </Section>
      {operator && <Review />}
      {buying && <BuyAirtime onClose={() => setBuying(false)} />}
      {id !== undefined && <PurchaseView id={id} onClose={() => go('/airtime')} />}
    </Page>
  )
}
