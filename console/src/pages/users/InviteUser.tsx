import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Code } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Time } from '../../ui/Time.tsx'

export type Invited = { invite_url: string; expires_datetime: string }

export function InviteUser({ operators, onClose }: { operators: boolean; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const invite = useWrite(
    () =>
      call<Invited>('POST', '/console/api/users', {
        email,
        ...(name ? { name } : {}),
        ...(operators ? { operator: true } : {}),
      }),
    ['/console/api/users'],
  )
  if (invite.data) return <ShowLink invited={invite.data} onClose={onClose} />
  return (
    <Dialog title={operators ? 'Invite an operator' : 'Invite somebody'} onClose={onClose}>
      <Form error={invite.error} onSubmit={() => invite.mutate()}>
        {operators && <p>An operator sees all organisations, tops up balances and decides about carriers.</p>}
        <TextField name="email" label="E-mail" type="email" autoComplete="off" value={email} onChange={setEmail} />
        <TextField name="name" label="Name" optional autoComplete="off" value={name} onChange={setName} />
        <FormActions>
          <Button look="main" type="submit" busy={invite.isPending}>
            Make the link
          </Button>
          <Button onClick={onClose}>Close</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** We send no mail: whoever invites hands the link over. */
export function ShowLink({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  return (
    <Dialog title="The one-time link" wide onClose={onClose}>
      <Code text={invited.invite_url} label="The one-time link" />
      <p>
        Hand it over yourself, over a way you trust. It works once, until <Time at={invited.expires_datetime} />, and is
        not shown again.
      </p>
      <FormActions>
        <Button look="main" onClick={onClose}>
          I have it
        </Button>
      </FormActions>
    </Dialog>
  )
}
