import { useState } from 'react'
import type { AnyonesSender } from '../../../../src/http/console/operator/schema.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { DECISIONS, SENDERS } from './senders.ts'

type Decision = 'approved' | 'rejected'

/** The operator's word on one sender. It may be taken back by deciding anew. */
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
        say(`${sender.sender_id} is ${state}.`)
        onClose()
      },
    })
  return (
    <Dialog title={`May they send as ${sender.sender_id}?`} onClose={onClose}>
      {/* Enter decides nothing: who has typed why not must not approve by it. */}
      <Form error={decide.error} onSubmit={() => {}}>
        <DataList
          items={[
            ['Organisation', sender.organisation_name],
            ['For', sender.class === 'promotional' ? 'promotional: offers and news' : 'transactional: orders, codes'],
            ['Their note', sender.note],
            ['Last reason', sender.reason],
          ]}
        />
        <TextField
          name="reason"
          label="Reason"
          hint="The organisation reads it. Who rejects must give one."
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
        <FormActions>
          {sender.state !== 'approved' && (
            <Button look="main" busy={decide.isPending} onClick={() => settle('approved')}>
              Approve
            </Button>
          )}
          {sender.state !== 'rejected' && (
            <Button look="danger" disabled={!given} busy={decide.isPending} onClick={() => settle('rejected')}>
              Reject
            </Button>
          )}
          <CloseButton />
        </FormActions>
      </Form>
    </Dialog>
  )
}
