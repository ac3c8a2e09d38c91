import { useState } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { CheckField, TextField } from '../../ui/fields.tsx'
import { FormDialog, ShowOnce } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const ACCOUNTS = '/smpp/accounts'

/** Who binds to us over SMPP. */
export function SmppAccounts() {
  const found = useRead(ACCOUNTS)
  const [making, setMaking] = useState(false)
  const [removing, setRemoving] = useState<string>()
  return (
    <Section
      title="SMPP accounts"
      lead="Software that speaks SMPP 3.4 binds under a name and password of its own, to the port the operator has opened."
      actions={
        <Button icon="plus" onClick={() => setMaking(true)}>
          Make an SMPP account
        </Button>
      }
      flush
    >
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && (
        <Table
          label="SMPP accounts"
          rows={found.data.accounts}
          rowKey={({ system_id }) => system_id}
          columns={[
            { title: 'system_id', cell: ({ system_id }) => <span className="mono">{system_id}</span> },
            { title: 'Binds', narrow: true, cell: ({ binds, max_binds }) => `${binds} of ${max_binds}` },
            { title: 'A second', narrow: true, minor: true, cell: ({ rate_per_s }) => rate_per_s },
            { title: 'Window', narrow: true, minor: true, cell: ({ window_size }) => window_size },
            { title: 'Waiting', narrow: true, cell: ({ waiting }) => waiting },
            { title: 'From', clip: true, cell: ({ allow_networks }) => allow_networks.join(', ') || 'anywhere' },
            { title: 'Made', narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            {
              title: 'Actions',
              unseen: true,
              narrow: true,
              cell: ({ system_id }) => (
                <Button look="bare" onClick={() => setRemoving(system_id)}>
                  Delete
                </Button>
              ),
            },
          ]}
          empty={<Empty title="There is no SMPP account yet.">Kannel and other gateways bind with one.</Empty>}
        />
      )}
      {making && <MakeAccount onClose={() => setMaking(false)} />}
      {removing !== undefined && <RemoveAccount system_id={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

function MakeAccount({ onClose }: { onClose: () => void }) {
  const [system_id, setSystemId] = useState('')
  const [networks, setNetworks] = useState('')
  const [receives_texts, setReceivesTexts] = useState(true)
  const allow_networks = networks.split(/[\s,]+/).filter(Boolean)
  const body = { ...(system_id ? { system_id } : {}), allow_networks, receives_texts }
  const make = useWrite(() => call('POST', ACCOUNTS, body), [ACCOUNTS])
  if (make.data) {
    const { system_id: name, password } = make.data
    const text = `system_id = ${name}\npassword = ${password}`
    return (
      <ShowOnce title="The new SMPP account" text={text} onClose={onClose}>
        The name it binds under, and its password. It is not shown again.
      </ShowOnce>
    )
  }
  return (
    <FormDialog title="Make an SMPP account" action="Make the account" write={make} onClose={onClose}>
      <TextField
        name="system_id"
        label="system_id"
        optional
        hint="At most 15 letters and digits; left out, one is made."
        value={system_id}
        onChange={setSystemId}
      />
      <TextField
        name="allow_networks"
        label="Networks"
        optional
        hint="Where it may bind from, such as 203.0.113.7 10.1.0.0/16; left out, anywhere."
        value={networks}
        onChange={setNetworks}
      />
      <CheckField
        name="receives_texts"
        label="What people write is delivered to it"
        checked={receives_texts}
        onChange={setReceivesTexts}
      />
    </FormDialog>
  )
}

function RemoveAccount({ system_id, onClose }: { system_id: string; onClose: () => void }) {
  const say = useSay()
  const remove = useWrite(() => call('DELETE', `${ACCOUNTS}/${encodeURIComponent(system_id)}`), [ACCOUNTS])
  return (
    <Confirm
      title="Delete this SMPP account?"
      action="Delete the account"
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => say('The account is deleted.'),
          onError: (fault) => say(fault.message, 'bad'),
          onSettled: onClose,
        })
      }
    >
      <p>
        The binds of <span className="mono">{system_id}</span> are closed, and what waits for it is dropped.
      </p>
    </Confirm>
  )
}
