import { usePages } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField, FilterForm } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Direction } from './Direction.tsx'

const EVERY_MS = 5_000
const WORDS = { stop: t('opted out||status'), start: t('opted in||status'), help: t('asks for help||status') }

/** What people wrote to the organisation's senders. */
export function Received() {
  const { query } = useRoute()
  const inbound = usePages('/inbound', 'inbound', { from: query.q, limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Page
      title={t('Messages')}
      wide
      lead={t('Incoming messages. STOP opts a number out, START opts it in again.')}
      actions={<Direction value="received" />}
    >
      <FilterForm>
        <SearchField label={t('Search by number')} value={query.q ?? ''} onChange={(q) => changeQuery({ q })} />
      </FilterForm>
      <Section flush>
        <PagedTable
          label={t('Received texts')}
          pages={inbound}
          rowKey={({ id }) => id}
          columns={[
            {
              title: t('Received||when'),
              narrow: true,
              cell: ({ created_datetime }) => <Time at={created_datetime} />,
            },
            { title: t('From||sender'), narrow: true, cell: ({ from }) => <Phone number={from} /> },
            { title: t('Text'), clip: true, cell: ({ text }) => text },
            { title: t('To||recipient'), narrow: true, cell: ({ to }) => to },
            {
              title: t('Keyword'),
              narrow: true,
              cell: ({ keyword }) =>
                keyword === undefined ? <span className="soft">–</span> : <Badge status={WORDS[keyword]} />,
            },
          ]}
          empty={
            query.q ? (
              <Empty title={t('Nothing from this number.')}>{t('Try another search, or clear it.')}</Empty>
            ) : (
              <Empty title={t('No incoming messages yet.')}>
                <p>{t('Reply to a message on a virtual phone, and it appears here.')}</p>
                <Link to="/phones" className="button">
                  {t('Go to the phones')}
                </Link>
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}
