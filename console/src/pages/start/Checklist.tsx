import { useState, type ReactNode } from 'react'
import { useLiveRefresh } from '../../live.ts'
import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Pending } from '../../ui/Empty.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Section } from '../../ui/Page.tsx'

const PATH = '/console/api/checklist'
/** Poll interval for changes without live events, such as a new contact. */
const EVERY_MS = 5_000

const STEPS = [
  {
    name: 'first_key',
    title: t('Create a key'),
    how: <Rich text="Here, or under <page>Keys</page>." page={linkTo('/keys')} />,
  },
  {
    name: 'first_message',
    title: t('Send a message'),
    how: <Rich text="With the call here, or under <page>Send</page>." page={linkTo('/send')} />,
  },
  {
    name: 'first_delivery',
    title: t('See it arrive'),
    how: <Rich text="Watch it under <page>Phones</page>." page={linkTo('/phones')} />,
  },
  {
    name: 'first_otp',
    title: t('Request a one-time password'),
    how: <Rich text="Try it under <page>OTP</page>." page={linkTo('/otp')} />,
  },
  {
    name: 'first_callback',
    title: t('Receive a callback on your server'),
    how: <Rich text="Set one up under <page>Webhooks</page>." page={linkTo('/webhooks')} />,
  },
  {
    name: 'first_contact',
    title: t('Save a contact'),
    how: <Rich text="Enter or import them under <page>Contacts</page>." page={linkTo('/contacts')} />,
  },
] as const

function linkTo(to: string) {
  return (inner: ReactNode) => <Link to={to}>{inner}</Link>
}

/** Dismissed per user, in this browser. */
export function Checklist() {
  const { session, organisation } = useSession()
  const key = `gangan.checklist.${session.user.id}.${organisation.id}`
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(key) !== null)
  if (dismissed) return null
  return (
    <Steps
      onDismiss={() => {
        localStorage.setItem(key, 'dismissed')
        setDismissed(true)
      }}
    />
  )
}

/** Ticks its steps as they are done, in the console or through the API. Hidden once all are done. */
function Steps({ onDismiss }: { onDismiss: () => void }) {
  const found = useRead(PATH, { every_ms: EVERY_MS })
  useLiveRefresh(PATH)
  const done = STEPS.filter(({ name }) => found.data?.[name]).length
  const [begun, setBegun] = useState(false)
  if (found.data && done < STEPS.length && !begun) setBegun(true)
  if (found.data && done === STEPS.length && !begun) return null
  return (
    <Section
      title={t('First steps')}
      lead={
        found.data && (done === STEPS.length ? t('All done.') : t('{done} of {all} done', { done, all: STEPS.length }))
      }
      actions={
        <Button look="bare" onClick={onDismiss}>
          {t('Dismiss')}
        </Button>
      }
    >
      <Pending read={found} />
      {found.data && (
        <ol className="start-steps" aria-live="polite">
          {STEPS.map(({ name, title, how }) => {
            const ticked = found.data[name]
            return (
              <li key={name} className={ticked ? 'ticked' : undefined}>
                <span className="start-tick">{ticked && <Icon name="check" />}</span>
                <span>
                  {title}
                  {ticked ? (
                    <span className="unseen"> {t('(done)')}</span>
                  ) : (
                    <span className="soft small start-how">{how}</span>
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
