import { t } from '../../text/text.ts'
import { useZone } from '../../ui/date/zone.ts'
import { Icon } from '../../ui/Icon.tsx'
import { shortTime } from '../../ui/Time.tsx'

/** How far a message on WhatsApp has come, as WhatsApp shows it: one tick, two, two in colour. */
export function Ticks({ status, read_datetime }: { status: 'sent' | 'delivered'; read_datetime: string | undefined }) {
  const zone = useZone()
  const words =
    read_datetime === undefined
      ? TITLES[status]
      : t('Read {time}||a message', { time: shortTime(new Date(read_datetime), zone, false) })
  return (
    <span className={read_datetime === undefined ? 'ticks' : 'ticks read'} title={words}>
      <Icon name={status === 'sent' && read_datetime === undefined ? 'check' : 'checks'} />
      <span className="unseen">{words}</span>
    </span>
  )
}

const TITLES = { sent: t('Sent||a message'), delivered: t('Delivered||a message') }
