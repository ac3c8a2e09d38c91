import type { Overview } from '../../api-types.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { plural, Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Section } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'

type Item = Overview['attention'][number]

/** What a user or the operator should act on, each with a link to the page for it. */
export function AttentionPart({ items }: { items: readonly Item[] }) {
  const { operator } = useSession()
  return (
    <Section title={t('Needs attention')} flush>
      <ul className="overview-attention">
        {items.map((item) => {
          const { to, label } = pageOf(item, operator)
          return (
            <li key={`${item.kind} ${item.state} ${item.name ?? ''} ${item.at ?? ''}`}>
              <Badge status={item.state} tone={URGENT.has(item.state) ? 'bad' : 'warn'} />
              <span className="grow">
                {sentenceOf(item)}
                {item.detail !== undefined && <span className="soft small second-line"> {item.detail}</span>}
              </span>
              {item.at !== undefined && (
                <span className="soft small">
                  <Moment item={item} at={item.at} />
                </span>
              )}
              <Link to={to} className="button">
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

const URGENT = new Set(['down', 'empty', 'disabled', 'failed'])

function sentenceOf({ kind, state, name = '', count = 0 }: Item): string {
  switch (kind) {
    case 'carrier':
      // Names are for operators.
      if (name === '')
        return state === 'down' ? t('A carrier is down. Messages for it are held.') : t('A carrier is degraded.')
      return state === 'down'
        ? t('The carrier {name} is down. Messages for it are held.', { name })
        : t('The carrier {name} is degraded.', { name })
    case 'balance':
      return state === 'empty'
        ? t('The balance is used up. Sending is blocked until you top up.')
        : t('The balance is low.')
    case 'webhook':
      return state === 'disabled'
        ? t('The webhook {name} was disabled. It receives no events.', { name })
        : t('The webhook {name} is failing.', { name })
    case 'sender':
      return state === 'pending'
        ? t('The sender {name} is awaiting approval by the operator.', { name })
        : t('The sender {name} was rejected.', { name })
    case 'key':
      return t('The key {name} expires soon.', { name })
    case 'import':
      return state === 'failed'
        ? t('A contact import failed.')
        : plural(count, 'A contact import rejected {n} line.', 'A contact import rejected {n} lines.')
  }
}

function Moment({ item: { kind, state }, at }: { item: Item; at: string }) {
  const values = { time: <Time at={at} seconds={false} /> }
  if (kind === 'key') return <Rich text="on {time}||when a key expires" values={values} />
  return kind === 'webhook' && state === 'failing' ? (
    <Rich text="since {time}" values={values} />
  ) : (
    <Time at={at} seconds={false} />
  )
}

/** The carriers’ page is the operator’s; other users see the messages that wait. */
function pageOf({ kind, id, state }: Item, operator: boolean): { to: string; label: string } {
  switch (kind) {
    case 'carrier':
      return operator
        ? { to: '/carriers', label: t('Carriers') }
        : { to: '/messages?status=queued', label: t('Queued messages') }
    case 'balance':
      return { to: '/ledger', label: t('Ledger') }
    case 'webhook':
      return { to: '/webhooks', label: t('Webhooks') }
    case 'sender':
      return { to: '/senders', label: t('Senders') }
    case 'key':
      return { to: '/keys', label: t('Keys') }
    case 'import':
      return { to: `/contacts?import=${id}`, label: state === 'failed' ? t('See the import') : t('See the lines') }
  }
}
