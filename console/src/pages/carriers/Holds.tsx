import type { Hold } from '../../api-types.ts'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** User-facing texts. */
const WORDS: Record<Hold['reason'], string> = {
  no_route: t('no route'),
  not_served: t('no process'),
  not_bound: t('not bound'),
  throttled: t('throttled'),
  paused: t('paused||messages'),
  draining: t('draining||messages'),
  rate: t('rate limit'),
  refused: t('refused for now'),
  waiting: t('waiting'),
}

/** What only takes its time is no fault. */
const HARMLESS: readonly Hold['reason'][] = ['rate', 'waiting']

/** Why messages do not leave. */
export function Holds({ holds }: { holds: readonly Hold[] }) {
  return (
    <Section
      title={t('Held messages')}
      lead={t('What prevents messages from being sent, across all organisations.')}
      flush
    >
      <Table
        label={t('Held messages')}
        rows={holds}
        rowKey={({ queue, reason }) => `${queue} ${reason}`}
        columns={[
          {
            title: t('Route'),
            narrow: true,
            cell: ({ route, carrier }) => (
              <>
                <b>{route}</b> {carrier !== undefined && <span className="soft">{carrier}</span>}
              </>
            ),
          },
          { title: t('Messages'), number: true, narrow: true, cell: ({ count }) => number(count) },
          {
            title: t('Why'),
            narrow: true,
            cell: ({ reason }) => <Badge status={WORDS[reason]} tone={HARMLESS.includes(reason) ? 'busy' : 'bad'} />,
          },
          { title: t('Detail'), cell: ({ detail }) => detail },
          {
            title: t('Since||a moment'),
            narrow: true,
            cell: ({ since }) => (since === undefined ? '–' : <Time at={since} />),
          },
          {
            title: t('Until'),
            narrow: true,
            minor: true,
            cell: ({ until }) => (until === undefined ? '–' : <Time at={until} />),
          },
        ]}
        empty={
          <Empty title={t('Nothing is held.')}>
            {t('Messages are listed here while their carrier is down, throttled or missing.')}
          </Empty>
        }
      />
    </Section>
  )
}
