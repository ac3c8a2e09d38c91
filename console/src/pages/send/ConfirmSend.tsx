import { useSession } from '../../session.ts'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Refused, FormActions } from '../../ui/Form.tsx'
import { Money } from '../../ui/Money.tsx'
import type { DraftBody } from './draft.ts'
import { useEstimate } from './estimate.ts'

/** What a message to many is confirmed with before it is sent: their count and its cost. */
export function ConfirmSend({
  body,
  count,
  busy,
  onConfirm,
  onClose,
}: {
  body: DraftBody
  count: number
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  const { organisation } = useSession()
  const { estimate, error } = useEstimate(body, true)
  return (
    <Dialog title={t('Confirm the message')} onClose={onClose}>
      <DataList
        items={[
          [t('Recipients'), number(count)],
          [t('Sender'), body.sender_id ?? organisation.default_sender_id ?? t('No sender yet')],
          [
            t('Charge'),
            estimate && (
              <b>
                <Money amount={estimate.charge} />
              </b>
            ),
          ],
          [t('Balance after'), estimate && <Money amount={estimate.available_balance} />],
        ]}
      />
      {error && <Refused error={error} />}
      {estimate && !estimate.is_covered && <p className="refused">{t('The balance does not cover it.')}</p>}
      <FormActions>
        <Button
          look="main"
          icon="send"
          busy={busy}
          blocked={estimate || error ? undefined : t('The cost is being calculated.')}
          onClick={onConfirm}
        >
          {body.send_at
            ? plural(count, 'Schedule for {n} recipient', 'Schedule for {n} recipients')
            : plural(count, 'Send to {n} recipient', 'Send to {n} recipients')}
        </Button>
        <CloseButton>{t('Back to the message')}</CloseButton>
      </FormActions>
    </Dialog>
  )
}
