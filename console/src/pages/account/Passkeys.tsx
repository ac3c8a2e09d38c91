import { useState } from 'react'
import type { Passkey } from '../../api-types.ts'
import { call } from '../../api.ts'
import { hasPasskeys, makePasskey } from '../../passkeys.ts'
import { useRead, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Page.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { browserName } from './browser-name.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useReloadSession } from './reload-session.ts'
import './account.css'

const PATH = '/console/api/me/passkeys'

/** Passkeys: a second factor, and a login without a password. */
export function Passkeys() {
  const { session } = useSession()
  const reload = useReloadSession()
  const say = useSay()
  const found = useRead(PATH)
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const passkeys = found.data?.passkeys ?? []
  return (
    <Section
      title={t('Passkeys')}
      lead={
        session.user.provider === undefined
          ? t(
              'Log in by fingerprint, face, PIN or security key. A passkey is also a second factor after your password.',
            )
          : t('A second factor after your provider, if the operator requires one.')
      }
      flush
      actions={hasPasskeys() && <Button onClick={() => setAdding(true)}>{t('Add a passkey')}</Button>}
    >
      {!hasPasskeys() && (
        <p className="account-note soft">
          {t('This browser cannot use passkeys at this address. They need https and a host name, or localhost.')}
        </p>
      )}
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('Passkeys')}
          rows={passkeys}
          rowKey={({ id }) => id}
          columns={[
            {
              title: t('Name'),
              cell: ({ name, usable, host }) => (
                <>
                  {name}
                  {!usable && <span className="soft small"> {t('only at {host}', { host })}</span>}
                </>
              ),
            },
            { title: t('Since'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            {
              title: t('Last used'),
              narrow: true,
              cell: ({ used_datetime }) => (used_datetime === undefined ? '–' : <Time at={used_datetime} />),
            },
            {
              ...ACTIONS,
              cell: (passkey) => (
                <>
                  <Button look="bare" onClick={() => setRenaming(passkey)}>
                    {t('Rename')}
                  </Button>
                  <Button look="remove" onClick={() => setRemoving(passkey)}>
                    {t('Remove')}
                  </Button>
                </>
              ),
            },
          ]}
          empty={
            <Empty title={t('You have no passkey yet.')}>
              {t('Your phone, your password manager or a security key can hold one.')}
            </Empty>
          }
        />
      )}
      {adding && (
        <Add
          onClose={() => setAdding(false)}
          onDone={(recovery_codes) => {
            reload()
            setCodes(recovery_codes)
            if (recovery_codes.length === 0) say(t('The passkey is added.'))
          }}
        />
      )}
      {renaming && (
        <Rename
          passkey={renaming}
          onClose={() => setRenaming(undefined)}
          onDone={() => say(t('The passkey is renamed.'))}
        />
      )}
      {removing && (
        <Remove
          passkey={removing}
          onClose={() => setRemoving(undefined)}
          onDone={() => {
            reload()
            say(t('The passkey is removed.'))
          }}
        />
      )}
      {codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
    </Section>
  )
}

function Add({ onClose, onDone }: { onClose: () => void; onDone: (recovery_codes: string[]) => void }) {
  const [name, setName] = useState(browserName(navigator.userAgent))
  const [password, setPassword] = useState('')
  const add = useWrite(async () => call('POST', PATH, { name, credential: await makePasskey(password) }), [PATH])
  return (
    <FormDialog
      title={t('Add a passkey')}
      action={t('Add the passkey')}
      write={add}
      onClose={onClose}
      onDone={({ recovery_codes }) => onDone(recovery_codes)}
    >
      <NameField value={name} onChange={setName} />
      <YourPassword value={password} onChange={setPassword} />
    </FormDialog>
  )
}

function Rename({ passkey, onClose, onDone }: { passkey: Passkey; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState(passkey.name)
  const rename = useWrite(() => call('PATCH', `${PATH}/${passkey.id}`, { name }), [PATH])
  return (
    <FormDialog title={t('Rename the passkey')} action={t('Rename')} write={rename} onClose={onClose} onDone={onDone}>
      <NameField value={name} onChange={setName} />
    </FormDialog>
  )
}

function Remove({
  passkey: { id, name },
  onClose,
  onDone,
}: {
  passkey: Passkey
  onClose: () => void
  onDone: () => void
}) {
  const { session } = useSession()
  const [password, setPassword] = useState('')
  const remove = useWrite(() => call('DELETE', `${PATH}/${id}`, { password }), [PATH])
  const last = session.user.passkeys === 1 && !session.user.totp
  return (
    <FormDialog
      title={t('Remove the passkey {name}?', { name })}
      action={t('Remove the passkey')}
      write={remove}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {last
          ? t(
              'It is your only second factor: your password alone will log you in, and your recovery codes are deleted.',
            )
          : t('It can no longer be used to log in. Delete it in your password manager, too.')}
      </p>
      <YourPassword value={password} onChange={setPassword} />
    </FormDialog>
  )
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <TextField
      name="name"
      label={t('Name')}
      hint={t('To recognise it, such as the name of the device that holds it.')}
      maxLength={60}
      value={value}
      onChange={onChange}
    />
  )
}

/** Users of a single sign-on provider have no password. */
export function YourPassword({ value, onChange }: { value: string; onChange: (password: string) => void }) {
  const { session } = useSession()
  if (session.user.provider !== undefined) return null
  return (
    <PasswordField
      name="password"
      label={t('Your password')}
      autoComplete="current-password"
      value={value}
      onChange={onChange}
    />
  )
}
