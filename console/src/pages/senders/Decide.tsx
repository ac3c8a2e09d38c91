import { useState } from 'react'
import type { AnyonesSender } from '../../types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { DECISIONS, SENDERS } from './senders.ts'

type Decision = 'approved' | 'rejected'

/** The operator's decision about a sender. It can be changed later. */
export function Decide({ sender, onClose }: { sender: AnyonesSender; onClose: () => void }) {
  const say = useSay()
  const [reason, setReason] = useState('')
  const given = reason.trim()
  const { organisation_id } = sender
  const decide = useWrite(
    (state: Decision) =>
      call('POST', `${DECISIONS}/${sender.id}`, { organisation_id, state, ...(given ? { reason: given } : {}) }),
    [DECISIONS, SENDERS],
  )
  const settle = (state: Decision) =>
    decide.mutate(state, {
      onSuccess: () => {
        say(
          state === 'approved'
            ? t('{sender} is approved.', { sender: sender.sender_id })
            : t('{sender} is rejected.', { sender: sender.sender_id }),
        )
        onClose()
      },
    })
  return (
    <Dialog title={t('Review of the sender {sender}', { sender: sender.sender_id })} onClose={onClose}>
      {/* Enter decides nothing: who has typed why not must not approve by it. */}
      <Form error={decide.error} onSubmit={() => {}}>
        <DataList
          items={[
            [t('Organisation'), sender.organisation_name],
            [
              t('For||a purpose'),
              sender.class === 'promotional' ? t('promotional: offers and news') : t('transactional: orders, codes'),
            ],
            [t('Note from the organisation'), sender.note],
            [t('Previous reason'), sender.reason],
          ]}
        />
        <TextField
          name="reason"
          label={t('Reason')}
          hint={t('Visible to the organisation. Required when you reject.')}
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
        <FormActions>
          {sender.state !== 'approved' && (
            <Button look="main" busy={decide.isPending} onClick={() => settle('approved')}>
              {t('Approve')}
            </Button>
          )}
          {sender.state !== 'rejected' && (
            <Button
              look="danger"
              blocked={given ? undefined : t('Rejecting needs a reason.')}
              busy={decide.isPending}
              onClick={() => settle('rejected')}
            >
              {t('Reject')}
            </Button>
          )}
          <CloseButton />
        </FormActions>
      </Form>
    </Dialog>
  )
}
