import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'

const EVERY_MS = 1_000

/** A message on its way through a smartlist. */
export function ListProgress({ id }: { id: string }) {
  const found = useRead(`/lists/contact/sends/${encodeURIComponent(id)}`, { every_ms: EVERY_MS })
  const send = found.data
  return (
    <Page
      title="Sending to a list"
      lead="You may leave: it goes on by itself."
      actions={
        <>
          <Link to="/send" className="button">
            Send another
          </Link>
          <Link to="/messages" className="button">
            All messages
          </Link>
        </>
      }
    >
      {found.isPending && <Loading />}
      {found.error && !send && <Trouble error={found.error} />}
      {send && (
        <>
          <dl className="figures" aria-live="polite">
            <Figure name="Status" value={<Badge status={send.status} />} note={send.fault ?? 'of the whole list'} />
            <Figure name="Accepted" value={send.accepted.toLocaleString('en')} note="recipients" />
            <Figure name="Looked at" value={send.rows.toLocaleString('en')} note="contacts so far" />
            <Figure name="Charged" value={<Money amount={send.charge} />} note="so far" />
          </dl>
          <Section title="Left out">
            <DataList
              items={[
                ['Same number', send.duplicates.toLocaleString('en')],
                ['No number', send.without_number.toLocaleString('en')],
                ['Value missing', send.incomplete.toLocaleString('en')],
                ['Refused', send.refused.toLocaleString('en')],
                ['Begun', <Time at={send.created_datetime} />],
              ]}
            />
          </Section>
        </>
      )}
    </Page>
  )
}
