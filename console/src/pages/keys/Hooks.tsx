import { useState, type ReactNode } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog, ShowOnce } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const HOOKS = '/hooks'
const KINDS = [
  { value: 'supabase', label: 'Supabase Auth' },
  { value: 'logto', label: 'Logto' },
  { value: 'authentik', label: 'authentik' },
  { value: 'zitadel', label: 'Zitadel' },
  { value: 'kratos', label: 'Ory Kratos' },
  { value: 'keycloak', label: 'Keycloak' },
  { value: 'fusionauth', label: 'FusionAuth' },
  { value: 'listmonk', label: 'listmonk' },
  { value: 'novu', label: 'Novu' },
]

/** URLs through which identity providers and other services send messages. */
export function Hooks() {
  const found = useRead(HOOKS)
  const [making, setMaking] = useState(false)
  const [removing, setRemoving] = useState<string>()
  return (
    <Section
      title={t('Hooks')}
      lead={t('An identity provider sends its codes through its own URL, with a secret instead of an API key.')}
      actions={
        <Button icon="plus" onClick={() => setMaking(true)}>
          {t('Create a hook')}
        </Button>
      }
      flush
    >
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('Hooks')}
          rows={found.data.hooks}
          rowKey={({ name }) => name}
          columns={[
            {
              title: t('For||a hook'),
              narrow: true,
              cell: ({ kind }) => KINDS.find(({ value }) => value === kind)?.label ?? kind,
            },
            { title: t('Address'), cell: ({ name }) => <span className="mono">{addressOf(name)}</span> },
            { title: t('Created'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            {
              ...ACTIONS,
              cell: ({ name }) => (
                <Button look="remove" onClick={() => setRemoving(name)}>
                  {t('Delete')}
                </Button>
              ),
            },
          ]}
          empty={
            <Empty title={t('There is no hook yet.')}>
              {t('Supabase, Logto, Keycloak and others send through one.')}
            </Empty>
          }
        />
      )}
      {making && <MakeHook onClose={() => setMaking(false)} />}
      {removing !== undefined && <RemoveHook name={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

function addressOf(name: string): string {
  return `${location.origin}/hooks/${name}`
}

function MakeHook({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState('supabase')
  const [secret, setSecret] = useState('')
  const make = useWrite(() => call('POST', HOOKS, { kind, ...(secret ? { secret } : {}) }), [HOOKS])
  if (make.data) {
    return (
      <ShowOnce title={t('The new hook')} text={`${addressOf(make.data.name)}\n${make.data.secret}`} onClose={onClose}>
        {t('The URL, and the secret with which the other side signs or authenticates. It is not shown again.')}
      </ShowOnce>
    )
  }
  return (
    <FormDialog title={t('Create a hook')} action={t('Create the hook')} write={make} onClose={onClose}>
      <SelectField name="kind" label={t('For||a hook')} value={kind} onChange={setKind} choices={KINDS} />
      <TextField
        name="secret"
        label={t('Secret')}
        optional
        hint={t('If the other side has generated one, such as Zitadel’s signing key.')}
        value={secret}
        onChange={setSecret}
      />
    </FormDialog>
  )
}

function RemoveHook({ name, onClose }: { name: string; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Delete this hook?')}
      action={t('Delete the hook')}
      keep={t('Keep the hook')}
      write={() => call('DELETE', `${HOOKS}/${name}`)}
      stale={[HOOKS]}
      onDone={() => say(t('The hook is deleted.'))}
      onClose={onClose}
    >
      <p>
        <Rich
          text="Requests from <mono>{name}</mono> are refused from now on."
          values={{ name }}
          mono={(inner: ReactNode) => <span className="mono">{inner}</span>}
        />
      </p>
    </Confirm>
  )
}
