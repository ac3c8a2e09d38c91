import { useState } from 'react'
import type { ShownOrganisation } from '../../api-types.ts'
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
      title={suspended ? t('Suspend {name}?', { name }) : t('Reactivate {name}?', { name })}
      action={suspended ? t('Suspend') : t('Reactivate')}
      write={write}
      onDone={() => say(suspended ? t('{name} is suspended.', { name }) : t('{name} is reactivated.', { name }))}
      onClose={onClose}
    >
      <p>
        {suspended
          ? t(
              'Its keys, hooks and SMPP accounts stop working within a second, and its users have read-only access. Accepted messages are still sent; campaigns pause.',
            )
          : t('Its keys, hooks and SMPP accounts work again, and its campaigns resume.')}
      </p>
      <TextField
        name="reason"
        label={t('Reason')}
        hint={t('Recorded in the audit log.')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}
