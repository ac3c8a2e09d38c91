import { usePages } from '../../read.ts'
import { changeQuery, Link, useRoute } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Direction } from './Direction.tsx'

const EVERY_MS = 5_000
const WORDS = { stop: 'opted out', start: 'opted in', help: 'asks for help' }

/** What people wrote to the organisation's senders. */
export function Received() {
  const { query } = useRoute()
  const inbound = usePages('/inbound', 'inbound', { from: query.q, limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Page
      title="Messages"
      wide
      lead="What people wrote back. STOP opts a number out, START lets it back in."
      actions={<Direction value="received" />}
    >
      <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
        <SearchField label="Search by number" value={query.q ?? ''} onChange={(q) => changeQuery({ q })} />
      </form>
      <Section flush>
        <PagedTable
          label="Received texts"
          pages={inbound}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Received', narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: 'From', narrow: true, cell: ({ from }) => <Phone number={from} /> },
            { title: 'Text', clip: true, cell: ({ text }) => text },
            { title: 'To', narrow: true, cell: ({ to }) => to },
            {
              title: 'Meant',
              narrow: true,
              cell: ({ keyword }) =>
                keyword === undefined ? <span className="soft">–</span> : <Badge status={WORDS[keyword]} />,
            },
          ]}
          empty={
            query.q ? (
              <Empty title="Nothing from this number.">Search for another, or clear the search.</Empty>
            ) : (
              <Empty title="Nobody has written yet.">
                <p>Answer a message on a virtual phone, and it appears here.</p>
                <Link to="/phones" className="button">
                  Go to the phones
                </Link>
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}
