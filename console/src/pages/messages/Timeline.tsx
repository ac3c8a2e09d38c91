import type { TimelineAnswer } from '../../api-types.ts'
import { withQuery } from '../../api.ts'
import { CallbackStory } from '../../callbacks/CallbackStory.tsx'
import { useRead } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Reason } from '../../ui/Reason.tsx'
import { Time } from '../../ui/Time.tsx'
import { Links, times } from './Links.tsx'
import { MESSAGES, STATUS_NAMES } from './messages.ts'

const EVERY_MS = 5_000

type Event = TimelineAnswer['events'][number]

/** What happened to one recipient, oldest first. */
export function Timeline({ id, recipient }: { id: string; recipient: string }) {
  const found = useRead(withQuery(`${MESSAGES}/${id}/timeline`, { recipient }), { every_ms: EVERY_MS })
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} />
  const { status, text, links, events } = found.data
  return (
    <div className="stack">
      <p className="row">
        <Badge status={status} />
        {text !== undefined && <span className="soft">{t('The text sent here: “{text}”', { text })}</span>}
      </p>
      <ol className="timeline" aria-live="polite">
        {events.map((event) => (
          <li
            key={`${event.kind} ${event.created_datetime} ${event.kind === 'callback' ? event.callback.id : event.url}`}
            className={tone(event)}
          >
            <div className="timeline-head">
              <b>{title(event)}</b>
              <Time at={event.created_datetime} />
            </div>
            <Detail event={event} />
          </li>
        ))}
      </ol>
      {events.length === 0 && <Empty title={t('No activity yet.')}>{t('Each step appears here as it happens.')}</Empty>}
      {links && <Links links={links} />}
    </div>
  )
}

function Detail({ event }: { event: Event }) {
  if (event.kind === 'callback') return <CallbackStory callback={event.callback} />
  if (event.url !== undefined) {
    return (
      <p className="soft message-link">
        {event.url} · {times(event.clicks ?? 1)}
      </p>
    )
  }
  if (event.send_at !== undefined) {
    return (
      <p className="soft">
        <Rich text="for {time}||when it is sent" values={{ time: <Time at={event.send_at} zoned /> }} />
      </p>
    )
  }
  if (event.kind === 'ended') {
    return (
      <p>
        <Reason {...event} />
      </p>
    )
  }
  return (
    <p className="soft">
      {event.carrier !== undefined && t('by {carrier}', { carrier: event.carrier })}
      {event.charge !== undefined && <Charged amount={event.charge} refunded={event.kind === 'refunded'} />}
    </p>
  )
}

function Charged({ amount, refunded }: { amount: number; refunded: boolean }) {
  const values = { amount: <Money amount={amount} /> }
  return refunded ? (
    <Rich text="{amount} refunded||what happened to a message" values={values} />
  ) : (
    <Rich text="{amount} charged||what happened to a message" values={values} />
  )
}

const TITLES: Record<Exclude<Event['kind'], 'callback'>, string> = {
  accepted: t('Accepted||what happened to a message'),
  scheduled: t('Scheduled||what happened to a message'),
  sent: t('Submitted to the carrier'),
  ended: t('Ended||what happened to a message'),
  refunded: t('Refunded||what happened to a message'),
  read: t('Read||what happened to a message'),
  click: t('Opened a link'),
}

function title(event: Event): string {
  if (event.kind === 'callback') return t('Callback {type}', { type: event.callback.type })
  const { kind, status } = event
  if (status === undefined) return TITLES[kind]
  const name = STATUS_NAMES[status]
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** Only callbacks and the end of a message have a status. */
function tone(event: Event): string {
  const status = event.kind === 'callback' ? event.callback.status : event.status
  if (status === undefined) return event.kind === 'click' || event.kind === 'read' ? 'good' : ''
  return status === 'delivered' ? 'good' : status === 'pending' ? 'busy' : 'bad'
}
