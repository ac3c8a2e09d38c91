import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Code } from '../../ui/CopyButton.tsx'
import { Refused } from '../../ui/Form.tsx'
import { Section } from '../../ui/Page.tsx'
import { KEYS, scopesFor, withScopes } from '../keys/keys.ts'

/** The key: those there are (by their hint), and a new one, shown once and put into the examples. */
export function KeyPart({ created, onCreated }: { created: string | undefined; onCreated: (key: string) => void }) {
  const { organisation, session, right } = useSession()
  const found = useRead(KEYS)
  const mode = organisation.mode === 'test' || !session.sandbox ? 'test' : 'live'
  const create = useWrite(() => {
    const scopes = scopesFor(right).map(([scope]) => scope)
    return call('POST', KEYS, { mode, name: 'Created on the start page', ...withScopes(scopes) })
  }, [KEYS, '/console/api/checklist'])
  const active = found.data?.keys.filter(({ state }) => state === 'active').length
  return (
    <Section title={t('1. Create a key')} lead={t('Every call sends it as the value of its Authorization header.')}>
      {created === undefined ? (
        <>
          {active !== undefined && (
            <p>
              {active === 0
                ? t('There is no active key yet.')
                : plural(
                    active,
                    'One key is active. A key is shown only once, when it is created; create another if you have lost it.',
                    '{n} keys are active. A key is shown only once, when it is created; create another if you have lost it.',
                  )}
            </p>
          )}
          <div className="row">
            <Button
              look="main"
              icon="keys"
              busy={create.isPending}
              onClick={() => create.mutate(undefined, { onSuccess: ({ secret }) => onCreated(secret) })}
            >
              {mode === 'test' ? t('Create a test key') : t('Create a key')}
            </Button>
            <Link to="/keys" className="button">
              {t('All keys')}
            </Link>
          </div>
          {create.error && <Refused error={create.error} />}
        </>
      ) : (
        <>
          <Code text={created} label={t('The new key')} />
          <p className="soft small">
            {t('Copy it now: it is not shown again. The examples below already include it.')}
          </p>
        </>
      )}
    </Section>
  )
}
