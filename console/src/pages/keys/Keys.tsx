import { useState } from 'react'
import type { ShownKey } from '../../../../src/organisations/schema.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CreateKey } from './CreateKey.tsx'
import { Dialects } from './Dialects.tsx'
import { Hooks } from './Hooks.tsx'
import { KEYS, SCOPES } from './keys.ts'
import { RotateKey } from './RotateKey.tsx'
import { SmppAccounts } from './SmppAccounts.tsx'

/** The keys of the organisation and of its test twin. */
export default function Keys() {
  const found = useRead(KEYS)
  const [creating, setCreating] = useState(false)
  const [rotating, setRotating] = useState<ShownKey>()
  const [revoking, setRevoking] = useState<ShownKey>()
  return (
    <Page
      title="Keys"
      lead="A key is shown once, when it is made; only its hash is kept. Rotate without a gap: the old one goes on for a while."
      actions={
        <Button look="main" icon="plus" onClick={() => setCreating(true)}>
          Make a key
        </Button>
      }
    >
      <Section flush>
        {found.isPending && <Loading />}
        {found.error && !found.data && <Trouble error={found.error} />}
        {found.data && (
          <Table
            label="Keys"
            rows={found.data.keys}
            rowKey={({ id }) => id}
            columns={[
              { title: 'Key', narrow: true, cell: ({ hint }) => <span className="mono">{hint}</span> },
              { title: 'Name', clip: true, cell: ({ name }) => name ?? <span className="soft">–</span> },
              { title: 'Mode', narrow: true, cell: ({ mode }) => mode },
              { title: 'May', cell: ({ scopes }) => scopeNames(scopes) },
              { title: 'State', narrow: true, cell: ({ state }) => <Badge status={state} /> },
              { title: 'Made', narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
              {
                title: 'Ends',
                narrow: true,
                minor: true,
                cell: ({ expires_datetime, revoked_datetime }) => <Time at={revoked_datetime ?? expires_datetime} />,
              },
              {
                title: 'Actions',
                unseen: true,
                narrow: true,
                cell: (key) =>
                  key.state === 'active' && (
                    <>
                      <Button look="bare" onClick={() => setRotating(key)}>
                        Rotate
                      </Button>
                      <Button look="remove" onClick={() => setRevoking(key)}>
                        Revoke
                      </Button>
                    </>
                  ),
              },
            ]}
            empty={
              <Empty title="There is no key yet.">
                <Button onClick={() => setCreating(true)}>Make a key</Button>
              </Empty>
            }
          />
        )}
      </Section>
      <Dialects />
      <Hooks />
      <SmppAccounts />
      {creating && <CreateKey onClose={() => setCreating(false)} />}
      {rotating && <RotateKey apiKey={rotating} onClose={() => setRotating(undefined)} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

function RevokeKey({ apiKey, onClose }: { apiKey: ShownKey; onClose: () => void }) {
  const say = useSay()
  const revoke = useWrite(() => call('DELETE', `${KEYS}/${apiKey.id}`), [KEYS])
  return (
    <Confirm
      title="Revoke this key?"
      action="Revoke the key"
      busy={revoke.isPending}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(undefined, {
          onSuccess: () => say('The key is revoked.'),
          onError: (fault) => say(fault.message, 'bad'),
          onSettled: onClose,
        })
      }
    >
      <p>
        Whatever uses <span className="mono">{apiKey.hint}</span>
        {apiKey.name && ` (${apiKey.name})`} is refused within moments. To change a key without a gap, rotate it.
      </p>
    </Confirm>
  )
}

function scopeNames(scopes: string[] | undefined): string {
  if (scopes === undefined) return 'everything'
  return SCOPES.filter(([scope]) => scopes.includes(scope))
    .map(([, name]) => name.toLowerCase())
    .join(', ')
}
