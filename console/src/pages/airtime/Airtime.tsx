import { SamplesBelow } from '../../code/Samples.tsx'
import { CALLS } from '../../code/snippets.ts'
import type { PageProps } from '../../page-props.ts'
import { usePages } from '../../read.ts'
import { changeQuery, go, useNew, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { TimeLink } from '../../ui/TimeLink.tsx'
import { BuyAirtime } from './BuyAirtime.tsx'
import { PurchaseView } from './PurchaseView.tsx'
import { Review } from './Review.tsx'

/** There are no live events for purchases; a pending one completes within seconds. */
const EVERY_MS = 3_000

/** Airtime: purchases, and those that need a decision. */
export default function Airtime({ rest: [id] }: PageProps) {
  const { operator } = useSession()
  const { query } = useRoute()
  const [buying, setBuying] = useNew()
  const purchases = usePages('/airtime', 'purchases', { external_ref: query.q, limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Page
      title={t('Airtime')}
      lead={t('Purchased and charged immediately, and refunded if the network rejects it.')}
      actions={
        <Button look="main" onClick={() => setBuying(true)}>
          {t('Buy airtime')}
        </Button>
      }
    >
      <Section
        title={t('Purchases')}
        flush
        actions={
          <SearchField
            label={t('Search by reference')}
            value={query.q ?? ''}
            onChange={(value) => changeQuery({ q: value })}
          />
        }
      >
        <PagedTable
          label={t('Purchases')}
          pages={purchases}
          rowKey={(purchase) => purchase.id}
          onRow={(purchase) => go(`/airtime/${purchase.id}`)}
          columns={[
            {
              title: t('Bought'),
              narrow: true,
              cell: (purchase) => (
                <TimeLink
                  to={`/airtime/${purchase.id}`}
                  at={purchase.created_datetime}
                  about={t('airtime for {phone}', { phone: phoneText(purchase.recipient) })}
                />
              ),
            },
            { title: t('For||a person'), cell: ({ recipient }) => <Phone number={recipient} /> },
            { title: t('Network'), narrow: true, cell: ({ network }) => network },
            {
              title: t('Amount'),
              number: true,
              narrow: true,
              cell: ({ meta }) => <Money amount={meta.charge.amount} />,
            },
            {
              title: t('Status'),
              narrow: true,
              cell: ({ status, meta }) => (
                <>
                  <Badge status={status} />
                  {meta.charge.refunded && <span className="soft small"> {t('refunded')}</span>}
                </>
              ),
            },
            {
              title: t('Reference'),
              narrow: true,
              minor: true,
              cell: ({ external_ref }) => external_ref ?? <span className="soft">–</span>,
            },
          ]}
          empty={
            query.q ? (
              <Empty title={t('No purchase has this reference.')}>{t('Enter the exact reference.')}</Empty>
            ) : (
              <Empty title={t('No airtime purchases yet.')}>
                <p>{t('Buy some here, or through the API.')}</p>
                <Button changes onClick={() => setBuying(true)}>
                  {t('Buy airtime')}
                </Button>
              </Empty>
            )
          }
        />
      </Section>
      {operator && <Review />}
      <SamplesBelow call={CALLS.airtime} />
      {buying && <BuyAirtime onClose={() => setBuying(false)} />}
      {id !== undefined && <PurchaseView id={id} onClose={() => go('/airtime')} />}
    </Page>
  )
}
