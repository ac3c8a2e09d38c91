import { useState } from 'react'
import type { Invited } from '../../../../src/http/console/people/schema.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog, ShowOnce } from '../../ui/FormDialog.tsx'
import { Time } from '../../ui/Time.tsx'
import { ROLES } from './roles.ts'

export function InviteUser({ operators, onClose }: { operators: boolean; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState('viewer')
  const invite = useWrite(
    () =>
      call('POST', '/console/api/users', {
        email,
        ...(name ? { name } : {}),
        ...(operators ? { operator: true } : { role }),
      }),
    ['/console/api/users'],
  )
  if (invite.data) return <ShowLink invited={invite.data} onClose={onClose} />
  return (
    <FormDialog
      title={operators ? 'Invite an operator' : 'Invite somebody'}
      action="Make the link"
      write={invite}
      onClose={onClose}
    >
      {operators && <p>An operator sees all organisations, tops up balances and decides about carriers.</p>}
      <TextField name="email" label="E-mail" type="email" autoComplete="off" value={email} onChange={setEmail} />
      <TextField name="name" label="Name" optional autoComplete="off" value={name} onChange={setName} />
      {!operators && (
        <SelectField
          name="role"
          label="Role"
          hint={ROLES.find(({ value }) => value === role)?.may}
          value={role}
          onChange={setRole}
          choices={ROLES}
        />
      )}
    </FormDialog>
  )
}

/** We send no mail: whoever invites hands the link over. */
export function ShowLink({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  const { session } = useSession()
  if (!session.passwords) {
    return (
      <ShowOnce title="They can sign in" text={invited.invite_url} onClose={onClose}>
        There are no passwords here: they sign in at this address by a provider that knows {invited.user.email} as
        theirs.
      </ShowOnce>
    )
  }
  return (
    <ShowOnce title="The one-time link" text={invited.invite_url} onClose={onClose}>
      Hand it over yourself, over a way you trust. It works once, until <Time at={invited.expires_datetime} />, and is
      not shown again.
    </ShowOnce>
  )
}
