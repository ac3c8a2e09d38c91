import { useState } from 'react'
import type { ShownOrganisation } from '../../../../src/organisations/schema.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
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
      title={suspended ? t('Suspend {name}?', { name }) : t('Let {name} send again?', { name })}
      action={suspended ? t('Suspend') : t('Let it send')}
      write={write}
      onDone={() => say(suspended ? t('{name} is suspended.', { name }) : t('{name} can send again.', { name }))}
      onClose={onClose}
    >
      <p>
        {suspended
          ? t(
              'Its keys, hooks and SMPP accounts are refused within a second, and its people can only look. What was accepted before comes to its end; campaigns wait.',
            )
          : t('Its keys, hooks and SMPP accounts are taken again, and its campaigns go on.')}
      </p>
      <TextField
        name="reason"
        label={t('Reason')}
        hint={t('Stands in the audit log, for everybody who reads it.')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}
