import { useState, type ReactNode } from 'react'
import type { ShownKey } from '../../api-types.ts'
import { call } from '../../api.ts'
import { SamplesBelow } from '../../code/Samples.tsx'
import { CALLS } from '../../code/snippets.ts'
import { useRead } from '../../read.ts'
import { useNew } from '../../router.tsx'
import { Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CreateKey } from './CreateKey.tsx'
import { Dialects } from './Dialects.tsx'
import { Hooks } from './Hooks.tsx'
import { KEYS, MODES, SCOPES } from './keys.ts'
import { LimitKey, Spending } from './LimitKey.tsx'
import { RotateKey } from './RotateKey.tsx'
import { SmppAccounts } from './SmppAccounts.tsx'

/** A use is noted once in a minute. */
const EVERY_MS = 30_000

/** The keys of the organisation and of its test twin. */
export default function Keys() {
  const found = useRead(KEYS, { every_ms: EVERY_MS })
  const [creating, setCreating] = useNew()
  const [rotating, setRotating] = useState<ShownKey>()
  const [limiting, setLimiting] = useState<ShownKey>()
  const [revoking, setRevoking] = useState<ShownKey>()
  return (
    <Page
      title={t('Keys')}
      lead={t(
        'A key is shown once, when it is created; only its hash is stored. Rotate keys without downtime: the old key stays valid for a while.',
      )}
      actions={
        <Button look="main" icon="plus" onClick={() => setCreating(true)}>
          {t('Create a key')}
        </Button>
      }
    >
      <Section flush>
        <Pending read={found} />
        {found.data && (
          <Table
            label={t('Keys')}
            rows={found.data.keys}
            rowKey={({ id }) => id}
            columns={[
              { title: t('Key'), narrow: true, cell: ({ hint }) => <span className="mono">{hint}</span> },
              { title: t('Name'), clip: true, cell: ({ name }) => name ?? <span className="soft">–</span> },
              { title: t('Mode'), narrow: true, cell: ({ mode }) => MODES[mode] },
              { title: t('Permissions'), cell: ({ scopes }) => scopeNames(scopes) },
              { title: t('Spent today'), narrow: true, cell: (key) => <Spending apiKey={key} /> },
              { title: t('State'), narrow: true, cell: ({ state }) => <Badge status={state} /> },
              {
                title: t('Last used'),
                narrow: true,
                cell: ({ last_used_datetime }) =>
                  last_used_datetime ? (
                    <Time at={last_used_datetime} seconds={false} />
                  ) : (
                    <span className="soft">{t('never')}</span>
                  ),
              },
              {
                title: t('Created'),
                narrow: true,
                minor: true,
                cell: ({ created_datetime }) => <Time at={created_datetime} />,
              },
              {
                title: t('Ends||when'),
                narrow: true,
                minor: true,
                cell: ({ expires_datetime, revoked_datetime }) => <Time at={revoked_datetime ?? expires_datetime} />,
              },
              {
                ...ACTIONS,
                cell: (key) =>
                  key.state === 'active' && (
                    <>
                      <Button look="bare" onClick={() => setRotating(key)}>
                        {t('Rotate')}
                      </Button>
                      <Button look="bare" onClick={() => setLimiting(key)}>
                        {t('Limit||a verb')}
                      </Button>
                      <Button look="remove" onClick={() => setRevoking(key)}>
                        {t('Revoke')}
                      </Button>
                    </>
                  ),
              },
            ]}
            empty={
              <Empty title={t('There is no key yet.')}>
                <Button onClick={() => setCreating(true)}>{t('Create a key')}</Button>
              </Empty>
            }
          />
        )}
      </Section>
      <SamplesBelow call={CALLS.sms} title={t('A first call with a key')} />
      <Dialects />
      <Hooks />
      <SmppAccounts />
      {creating && <CreateKey onClose={() => setCreating(false)} />}
      {rotating && <RotateKey apiKey={rotating} onClose={() => setRotating(undefined)} />}
      {limiting && <LimitKey apiKey={limiting} onClose={() => setLimiting(undefined)} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

function RevokeKey({ apiKey, onClose }: { apiKey: ShownKey; onClose: () => void }) {
  const say = useSay()
  const { id, hint, name } = apiKey
  const mono = (inner: ReactNode) => <span className="mono">{inner}</span>
  return (
    <Confirm
      title={t('Revoke this key?')}
      action={t('Revoke the key')}
      keep={t('Keep the key')}
      write={() => call('DELETE', `${KEYS}/${id}`)}
      stale={[KEYS]}
      onDone={() => say(t('Key revoked.'))}
      onClose={onClose}
    >
      <p>
        {name ? (
          <Rich
            text="Requests with <mono>{hint}</mono> ({name}) are refused within moments. To replace a key without downtime, rotate it."
            values={{ hint, name }}
            mono={mono}
          />
        ) : (
          <Rich
            text="Requests with <mono>{hint}</mono> are refused within moments. To replace a key without downtime, rotate it."
            values={{ hint }}
            mono={mono}
          />
        )}
      </p>
    </Confirm>
  )
}

function scopeNames(scopes: string[] | undefined): string {
  if (scopes === undefined) return t('everything||a key opens')
  return SCOPES.filter(([scope]) => scopes.includes(scope))
    .map(([, name]) => name.toLowerCase())
    .join(', ')
}
