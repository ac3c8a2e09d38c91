import { useState, type ReactNode } from 'react'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useRead, useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { CheckField, TextField } from '../../ui/fields.tsx'
import { FormDialog, ShowOnce } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const ACCOUNTS = '/smpp/accounts'

/** Accounts of SMPP clients. */
export function SmppAccounts() {
  const found = useRead(ACCOUNTS)
  const [making, setMaking] = useState(false)
  const [removing, setRemoving] = useState<string>()
  return (
    <Section
      title={t('SMPP accounts')}
      lead={t('SMPP 3.4 clients bind with their own system ID and password, to the port that the operator has opened.')}
      actions={
        <Button icon="plus" onClick={() => setMaking(true)}>
          {t('Create an SMPP account')}
        </Button>
      }
      flush
    >
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('SMPP accounts')}
          rows={found.data.accounts}
          rowKey={({ system_id }) => system_id}
          columns={[
            { title: 'system_id', cell: ({ system_id }) => <span className="mono">{system_id}</span> },
            {
              title: t('Binds'),
              narrow: true,
              cell: ({ binds, max_binds }) => t('{part} of {total}', { part: binds, total: max_binds }),
            },
            { title: t('Per second'), narrow: true, minor: true, cell: ({ rate_per_s }) => rate_per_s },
            { title: t('Window'), narrow: true, minor: true, cell: ({ window_size }) => window_size },
            { title: t('Waiting'), narrow: true, cell: ({ waiting }) => waiting },
            {
              title: t('From||networks'),
              clip: true,
              cell: ({ allow_networks }) => allow_networks.join(', ') || t('anywhere'),
            },
            { title: t('Created'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            {
              ...ACTIONS,
              cell: ({ system_id }) => (
                <Button look="bare" onClick={() => setRemoving(system_id)}>
                  {t('Delete')}
                </Button>
              ),
            },
          ]}
          empty={
            <Empty title={t('There is no SMPP account yet.')}>{t('Kannel and other gateways bind with one.')}</Empty>
          }
        />
      )}
      {making && <MakeAccount onClose={() => setMaking(false)} />}
      {removing !== undefined && <RemoveAccount system_id={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

function MakeAccount({ onClose }: { onClose: () => void }) {
  const draft = useDraft('smpp-account', { system_id: '', networks: '', receives_texts: true })
  const [{ system_id, networks, receives_texts }, change] = draft
  const allow_networks = networks.split(/[\s,]+/).filter(Boolean)
  const body = { ...(system_id ? { system_id } : {}), allow_networks, receives_texts }
  const make = useWrite(() => call('POST', ACCOUNTS, body), [ACCOUNTS])
  if (make.data) {
    const { system_id: name, password } = make.data
    const text = `system_id = ${name}\npassword = ${password}`
    return (
      <ShowOnce title={t('The new SMPP account')} text={text} onClose={onClose}>
        {t('Its system ID and password. The password is not shown again.')}
      </ShowOnce>
    )
  }
  return (
    <FormDialog
      title={t('Create an SMPP account')}
      action={t('Create the account')}
      write={make}
      draft={draft}
      onClose={onClose}
    >
      <TextField
        name="system_id"
        label="system_id"
        optional
        hint={t('At most 15 letters and digits. Leave empty to generate one.')}
        value={system_id}
        onChange={(next) => change({ system_id: next })}
      />
      <TextField
        name="allow_networks"
        label={t('Networks')}
        optional
        hint={t('Allowed source addresses, such as 203.0.113.7 10.1.0.0/16. Leave empty to allow any.')}
        value={networks}
        onChange={(next) => change({ networks: next })}
      />
      <CheckField
        name="receives_texts"
        label={t('Incoming messages are delivered to it')}
        checked={receives_texts}
        onChange={(next) => change({ receives_texts: next })}
      />
    </FormDialog>
  )
}

function RemoveAccount({ system_id, onClose }: { system_id: string; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Delete this SMPP account?')}
      action={t('Delete the account')}
      keep={t('Keep the account')}
      write={() => call('DELETE', `${ACCOUNTS}/${encodeURIComponent(system_id)}`)}
      stale={[ACCOUNTS]}
      onDone={() => say(t('The account is deleted.'))}
      onClose={onClose}
    >
      <p>
        <Rich
          text="The binds of <mono>{system_id}</mono> are closed, and its pending messages are dropped."
          values={{ system_id }}
          mono={(inner: ReactNode) => <span className="mono">{inner}</span>}
        />
      </p>
    </Confirm>
  )
}
