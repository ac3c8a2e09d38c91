import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { shortTime } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CAMPAIGNS, people, type CampaignWithOutcomes } from './campaigns.ts'

/** Asks once more, naming people and money; the service refuses if these are not what it has worked out. */
export function StartCampaign({ campaign, onClose }: { campaign: CampaignWithOutcomes; onClose: () => void }) {
  const { id, estimate, send_at } = campaign
  const { organisation } = useSession()
  const say = useSay()
  const balance = useRead('/balance?limit=1')
  const seen = { people: estimate?.people ?? 0, charge: estimate?.charge ?? 0 }
  const start = useWrite(
    () => call('POST', `${CAMPAIGNS}/${id}/start`, seen),
    [CAMPAIGNS, '/balance', '/console/api', '/sms'],
  )
  const cost = money(seen.charge, organisation.currency)
  const left = balance.data && balance.data.balance - seen.charge
  const when = send_at === undefined ? 'now' : `at ${shortTime(new Date(send_at), false)}`
  function done() {
    onClose()
    say(send_at === undefined ? 'The campaign is on its way.' : 'The campaign is scheduled.')
  }
  return (
    <Dialog title={`Send to ${people(seen.people)} for ${cost}?`} onClose={onClose}>
      <Form error={start.error} onSubmit={() => start.mutate(undefined, { onSuccess: done })}>
        <p>
          <b>{people(seen.people)}</b> get it {when}. It costs <b>{cost}</b>
          {left !== undefined &&
            (left < 0
              ? ', which the balance does not cover.'
              : `; ${money(left, organisation.currency)} of the balance are left.`)}
        </p>
        <FormActions>
          <Button look="main" type="submit" icon="send" busy={start.isPending}>
            {send_at === undefined ? 'Send it' : 'Schedule it'}
          </Button>
          <Button onClick={onClose}>Not yet</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
