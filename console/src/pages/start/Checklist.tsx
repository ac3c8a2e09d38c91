import { useLiveRefresh } from '../../live.ts'
import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Section } from '../../ui/Page.tsx'

const PATH = '/console/api/checklist'
/** What is not told as it happens, such as a contact, is seen by asking now and then. */
const EVERY_MS = 5_000

const STEPS = [
  { name: 'first_key', title: 'A key is made', how: 'On the left, or under', to: '/keys', page: 'Keys' },
  {
    name: 'first_message',
    title: 'A message is sent',
    how: 'With the call on the left, or under',
    to: '/send',
    page: 'Send',
  },
  { name: 'first_delivery', title: 'It has arrived', how: 'Watch it under', to: '/phones', page: 'Phones' },
  { name: 'first_otp', title: 'A one-time password is asked for', how: 'Try it under', to: '/otp', page: 'OTP' },
  {
    name: 'first_callback',
    title: 'A callback is taken by your server',
    how: 'Set one up under',
    to: '/webhooks',
    page: 'Webhooks',
  },
  {
    name: 'first_contact',
    title: 'A contact is saved',
    how: 'Type or import them under',
    to: '/contacts',
    page: 'Contacts',
  },
] as const

/** Ticks itself as things happen, here or through the API. */
export function Checklist() {
  const found = useRead(PATH, { every_ms: EVERY_MS })
  useLiveRefresh(PATH)
  const done = STEPS.filter(({ name }) => found.data?.[name]).length
  return (
    <Section title="How far you are" lead={found.data ? `${done} of ${STEPS.length} done` : undefined}>
      {found.isPending && <Loading />}
      {found.error && <Trouble error={found.error} />}
      {found.data && (
        <ol className="start-steps" aria-live="polite">
          {STEPS.map(({ name, title, how, to, page }) => {
            const ticked = found.data[name]
            return (
              <li key={name} className={ticked ? 'ticked' : undefined}>
                <span className="start-tick">{ticked && <Icon name="check" />}</span>
                <span>
                  {title}
                  {ticked ? (
                    <span className="unseen"> (done)</span>
                  ) : (
                    <span className="soft small start-how">
                      {how} <Link to={to}>{page}</Link>.
                    </span>
                  )}
                </span>
              </li>
            )
          })}
        </ol>
      )}
    </Section>
  )
}
