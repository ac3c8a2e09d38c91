import { useState } from 'react'
import type { ShownOrganisation } from '../../../../src/organisations/schema.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'

/** Keeps an organisation from sending, or lets it again. */
export function Suspend({ organisation, onClose }: { organisation: ShownOrganisation; onClose: () => void }) {
  const say = useSay()
  const [reason, setReason] = useState('')
  const { id, name } = organisation
  const suspended = organisation.suspended_datetime === undefined
  const write = useWrite(
    () => call('POST', `/console/api/organisations/${id}/suspension`, { suspended, reason }),
    ['/console/api/organisations', '/console/api/audit'],
  )
  return (
    <FormDialog
      title={suspended ? `Suspend ${name}?` : `Let ${name} send again?`}
      action={suspended ? 'Suspend' : 'Let it send'}
      write={write}
      onDone={() => say(suspended ? `${name} sends nothing more.` : `${name} may send again.`)}
      onClose={onClose}
    >
      <p>
        {suspended
          ? 'Its keys, hooks and SMPP accounts are refused within a second, and its people can only look. What was accepted before comes to its end; campaigns wait.'
          : 'Its keys, hooks and SMPP accounts are taken again, and its campaigns go on.'}
      </p>
      <TextField
        name="reason"
        label="Reason"
        hint="Stands in the audit log, for everybody who reads it."
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}
