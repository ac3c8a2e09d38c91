import type { CarriersAnswer } from '../../../../src/http/console/operator/schema.ts'
import type { PageProps } from '../../pages.ts'
import { useRead } from '../../read.ts'
import { go } from '../../router.tsx'
import { LiveBadge } from '../../ui/Badge.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { duration } from '../../ui/Time.tsx'
import { CARRIERS } from './binds.ts'
import { Binds } from './Binds.tsx'
import { BindView } from './BindView.tsx'
import { Holds } from './Holds.tsx'
import { Addresses } from './Addresses.tsx'
import { PhoneCarriers } from './PhoneCarriers.tsx'
import './carriers.css'

const EVERY_MS = 3_000

/** Which numbers a route or a price is for. */
type Target = Pick<CarriersAnswer['prices'][number], 'prefix' | 'country' | 'operator' | 'class'>

/**
 * Who carries what, how they are, and what it costs. All of it is set in the configuration file.
 * `#/carriers/<carrier>/<bind>` shows what passes on one bind.
 */
export default function Carriers({ rest: [carrier, bind] }: PageProps) {
  const found = useRead(CARRIERS, { every_ms: EVERY_MS })
  const answer = found.data
  return (
    <Page
      title="Carriers"
      lead="Networks, routes and prices, as the configuration file has them, and how they are at this moment."
    >
      {found.isPending && <Loading />}
      {found.error && !answer && <Trouble error={found.error} />}
      {answer && (
        <>
          <Section title="Carriers" flush>
            <Table
              label="Carriers"
              rows={answer.carriers}
              rowKey={({ name }) => name}
              columns={[
                { title: 'Name', narrow: true, cell: ({ name }) => <b>{name}</b> },
                { title: 'Kind', narrow: true, cell: ({ kind }) => kind },
                { title: 'State', narrow: true, cell: ({ state }) => <LiveBadge status={state} /> },
                { title: 'Detail', cell: ({ detail }) => <span className="soft">{detail ?? '–'}</span> },
              ]}
              empty={<Empty title="No carrier is configured.">Everything ends at the simulator.</Empty>}
            />
          </Section>
          <Addresses carriers={answer.carriers} />
          <Holds holds={answer.holds} />
          {answer.carriers.some(({ kind }) => kind === 'smpp') && <Binds />}
          {answer.carriers.some(({ kind }) => kind === 'phone') && <PhoneCarriers />}
          <Section title="Queues" lead="What waits to be done, over all organisations." flush>
            <Table
              label="Queues"
              rows={answer.queues}
              rowKey={({ queue }) => queue}
              columns={[
                { title: 'Queue', cell: ({ queue }) => queue },
                { title: 'Waiting', number: true, narrow: true, cell: ({ depth }) => depth.toLocaleString('en') },
                {
                  title: 'Oldest',
                  number: true,
                  narrow: true,
                  cell: ({ oldest_s }) => (oldest_s === undefined ? '–' : duration(oldest_s * 1_000)),
                },
              ]}
              empty={<Empty title="Nothing waits." />}
            />
          </Section>
          <Section title="Routes" lead="Which carrier takes what. The closest match wins." flush>
            <Table
              label="Routes"
              rows={answer.routes}
              rowKey={({ name }) => name}
              columns={[
                { title: 'Name', narrow: true, cell: ({ name }) => <b>{name}</b> },
                { title: 'Channel', narrow: true, cell: ({ channel }) => channelName(channel) },
                { title: 'To', cell: (route) => target(route) },
                { title: 'Carriers', cell: (route) => (route.carriers ?? [route.carrier]).join(', then ') },
                {
                  title: 'At most',
                  number: true,
                  narrow: true,
                  cell: ({ rate_per_s }) => (rate_per_s === undefined ? '–' : `${rate_per_s} per second`),
                },
              ]}
              empty={<Empty title="No route is configured." />}
            />
          </Section>
          <Section title="Prices" lead="Per page of a message. The closest match wins." flush>
            <Table
              label="Prices"
              rows={answer.prices.map((price, index) => ({ ...price, line: index + 1 }))}
              rowKey={({ line }) => String(line)}
              columns={[
                { title: 'Channel', narrow: true, cell: ({ channel }) => channelName(channel) },
                { title: 'To', cell: (price) => target(price) },
                { title: 'Price', number: true, narrow: true, cell: ({ price }) => <Money amount={price} /> },
              ]}
              empty={<Empty title="No price is configured." />}
            />
          </Section>
          <Section title="Airtime vendors" flush>
            <Table
              label="Airtime vendors"
              rows={answer.vendors}
              rowKey={({ name }) => name}
              columns={[
                { title: 'Name', narrow: true, cell: ({ name }) => <b>{name}</b> },
                { title: 'Kind', cell: ({ kind }) => kind },
              ]}
              empty={<Empty title="No vendor is configured.">Airtime ends at the simulator.</Empty>}
            />
          </Section>
        </>
      )}
      {carrier !== undefined && bind !== undefined && (
        <BindView carrier={carrier} bind={bind} onClose={() => go('/carriers')} />
      )}
    </Page>
  )
}

const channelName = (channel: string) => (channel === 'whatsapp' ? 'WhatsApp' : 'SMS')

function target({ prefix, country, operator, class: route_class }: Target): string {
  const numbers = [prefix && `+${prefix}…`, country, operator].filter(Boolean).join(', ') || 'every number'
  return route_class === undefined ? numbers : `${numbers}, ${route_class}`
}
