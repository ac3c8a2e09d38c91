import type { Hold } from '../../../../src/messaging/read/schema.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** In the words of a person who has never seen the code. */
const WORDS: Record<Hold['reason'], string> = {
  no_route: 'no route',
  not_served: 'no process',
  not_bound: 'not bound',
  throttled: 'throttled',
  paused: 'paused',
  rate: 'rate limit',
  refused: 'refused for now',
  waiting: 'waits',
}

/** What only takes its time is no fault. */
const HARMLESS: readonly Hold['reason'][] = ['rate', 'waiting']

/** Why messages do not leave. */
export function Holds({ holds }: { holds: readonly Hold[] }) {
  return (
    <Section title="Held messages" lead="What keeps messages from leaving, over all organisations." flush>
      <Table
        label="Held messages"
        rows={holds}
        rowKey={({ queue, reason }) => `${queue} ${reason}`}
        columns={[
          {
            title: 'Route',
            narrow: true,
            cell: ({ route, carrier }) => (
              <>
                <b>{route}</b> {carrier !== undefined && <span className="soft">{carrier}</span>}
              </>
            ),
          },
          { title: 'Messages', number: true, narrow: true, cell: ({ count }) => count.toLocaleString('en') },
          {
            title: 'Why',
            narrow: true,
            cell: ({ reason }) => <Badge status={WORDS[reason]} tone={HARMLESS.includes(reason) ? 'busy' : 'bad'} />,
          },
          { title: 'Detail', cell: ({ detail }) => detail },
          { title: 'Since', narrow: true, cell: ({ since }) => (since === undefined ? '–' : <Time at={since} />) },
          {
            title: 'Until',
            narrow: true,
            minor: true,
            cell: ({ until }) => (until === undefined ? '–' : <Time at={until} />),
          },
        ]}
        empty={<Empty title="Nothing is held." />}
      />
    </Section>
  )
}
