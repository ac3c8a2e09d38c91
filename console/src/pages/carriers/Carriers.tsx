import type { CarriersAnswer } from '../../api-types.ts'
import type { PageProps } from '../../page-props.ts'
import { useRead } from '../../read.ts'
import { go } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { LiveBadge } from '../../ui/Badge.tsx'
import { carrierWords } from '../../ui/carrier-words.ts'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { duration } from '../../ui/Time.tsx'
import { CARRIERS } from './binds.ts'
import { Binds } from './Binds.tsx'
import { BindView } from './BindView.tsx'
import { carrierList, choiceWords } from './choice-words.ts'
import { Holds } from './Holds.tsx'
import { Addresses } from './Addresses.tsx'
import { Configured } from './Configured.tsx'
import { Paused, PauseButton } from './Pause.tsx'
import { PhoneCarriers } from './PhoneCarriers.tsx'
import './carriers.css'

const EVERY_MS = 3_000

/** Which numbers a route or a price is for. */
type Target = Pick<CarriersAnswer['prices'][number], 'prefix' | 'country' | 'operator' | 'class'>

/**
 * Carriers, routes and prices, and their state. `#/carriers/<carrier>/<bind>` shows the PDUs
 * of one bind.
 */
export default function Carriers({ rest: [carrier, bind] }: PageProps) {
  const found = useRead(CARRIERS, { every_ms: EVERY_MS })
  const answer = found.data
  const pauseOf = (kind: string, name: string) => answer?.pauses.find((one) => one.kind === kind && one.name === name)
  return (
    <Page title={t('Carriers')} lead={t('Networks, routes and prices, and their current state.')}>
      <Pending read={found} />
      {answer && (
        <>
          <Section title={t('Carriers')} flush>
            <Table
              label={t('Carriers')}
              rows={answer.carriers}
              rowKey={({ name }) => name}
              columns={[
                { title: t('Name'), narrow: true, cell: ({ name }) => <b>{name}</b> },
                { title: t('Type'), narrow: true, cell: ({ kind }) => kind },
                { title: t('State'), narrow: true, cell: ({ state }) => <LiveBadge status={state} /> },
                {
                  title: t('Detail'),
                  cell: ({ name, detail }) => {
                    const pause = pauseOf('carrier', name)
                    return pause ? (
                      <Paused pause={pause} />
                    ) : (
                      <span className="soft">{detail === undefined ? '–' : carrierWords(detail)}</span>
                    )
                  },
                },
                {
                  ...ACTIONS,
                  cell: ({ name }) => <PauseButton kind="carrier" name={name} pause={pauseOf('carrier', name)} />,
                },
              ]}
              empty={<Empty title={t('No carrier is configured.')}>{t('All messages go to the simulator.')}</Empty>}
            />
          </Section>
          <Addresses carriers={answer.carriers} />
          <Holds holds={answer.holds} />
          {answer.carriers.some(({ kind }) => kind === 'smpp') && <Binds />}
          {answer.carriers.some(({ kind }) => kind === 'phone') && <PhoneCarriers />}
          <Section title={t('Queues')} lead={t('Pending work, across all organisations.')} flush>
            <Table
              label={t('Queues')}
              rows={answer.queues}
              rowKey={({ queue }) => queue}
              columns={[
                { title: t('Queue'), cell: ({ queue }) => queue },
                { title: t('Waiting'), number: true, narrow: true, cell: ({ depth }) => number(depth) },
                {
                  title: t('Oldest'),
                  number: true,
                  narrow: true,
                  cell: ({ oldest_s }) => (oldest_s === undefined ? '–' : duration(oldest_s * 1_000)),
                },
              ]}
              empty={<Empty title={t('Nothing pending.')}>{t('Everything accepted has been processed.')}</Empty>}
            />
          </Section>
          <Section
            title={t('Routes')}
            lead={t('Which carrier delivers which messages. The most specific match applies.')}
            flush
          >
            <Table
              label={t('Routes')}
              rows={answer.routes}
              rowKey={({ name }) => name}
              columns={[
                { title: t('Name'), narrow: true, cell: ({ name }) => <b>{name}</b> },
                { title: t('Channel'), narrow: true, cell: ({ channel }) => channelName(channel) },
                { title: t('To||numbers'), cell: (route) => target(route) },
                {
                  title: t('Carriers'),
                  cell: (route) => (
                    <div>
                      {carrierList(route)}
                      <span className="second-line soft small">{choiceWords(route)}</span>
                    </div>
                  ),
                },
                {
                  title: t('State'),
                  cell: ({ name }) => {
                    const pause = pauseOf('route', name)
                    return pause ? <Paused pause={pause} /> : <LiveBadge status="active" />
                  },
                },
                {
                  title: t('Limit'),
                  number: true,
                  narrow: true,
                  cell: ({ rate_per_s }) =>
                    rate_per_s === undefined ? '–' : t('{rate} per second', { rate: rate_per_s }),
                },
                {
                  ...ACTIONS,
                  cell: ({ name }) => <PauseButton kind="route" name={name} pause={pauseOf('route', name)} />,
                },
              ]}
              empty={<Empty title={t('No route is configured.')}>{t('The configuration file names them.')}</Empty>}
            />
          </Section>
          <Configured />
          <Section title={t('Prices')} lead={t('Per page of a message. The most specific match applies.')} flush>
            <Table
              label={t('Prices')}
              rows={answer.prices.map((price, index) => ({ ...price, line: index + 1 }))}
              rowKey={({ line }) => String(line)}
              columns={[
                { title: t('Channel'), narrow: true, cell: ({ channel }) => channelName(channel) },
                { title: t('To||numbers'), cell: (price) => target(price) },
                { title: t('Price'), number: true, narrow: true, cell: ({ price }) => <Money amount={price} /> },
              ]}
              empty={<Empty title={t('No price is configured.')}>{t('The configuration file names them.')}</Empty>}
            />
          </Section>
          <Section title={t('Airtime vendors')} flush>
            <Table
              label={t('Airtime vendors')}
              rows={answer.vendors}
              rowKey={({ name }) => name}
              columns={[
                { title: t('Name'), narrow: true, cell: ({ name }) => <b>{name}</b> },
                { title: t('Type'), cell: ({ kind }) => kind },
              ]}
              empty={
                <Empty title={t('No vendor is configured.')}>{t('Airtime is refused, except to test keys.')}</Empty>
              }
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

const CLASSES: Record<NonNullable<Target['class']>, string> = {
  transactional: t('transactional'),
  promotional: t('promotional'),
}

function target({ prefix, country, operator, class: route_class }: Target): string {
  const numbers = [prefix && `+${prefix}…`, country, operator].filter(Boolean).join(', ') || t('every number')
  return route_class === undefined ? numbers : `${numbers}, ${CLASSES[route_class]}`
}
