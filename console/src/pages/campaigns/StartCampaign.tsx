import type { ReactNode } from 'react'
import { isCovered } from '../../balance.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { Time } from '../../ui/Time.tsx'
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
  function done() {
    onClose()
    say(send_at === undefined ? t('Campaign started.') : t('The campaign is scheduled.'))
  }
  return (
    <Dialog title={t('Send to {people} for {cost}?', { people: people(seen.people), cost })} onClose={onClose}>
      <Form error={start.error} onSubmit={() => start.mutate(undefined, { onSuccess: done })}>
        <p>
          {send_at === undefined ? (
            <Rich text="<b>{people}</b> will receive it now." values={{ people: people(seen.people) }} b={bold} />
          ) : (
            <Rich
              text="<b>{people}</b> will receive it at {time}."
              values={{ people: people(seen.people), time: <Time at={send_at} seconds={false} zoned /> }}
              b={bold}
            />
          )}{' '}
          {left === undefined ? (
            <Rich text="It costs <b>{cost}</b>" values={{ cost }} b={bold} />
          ) : balance.data && !isCovered(balance.data, seen.charge) ? (
            <Rich text="It costs <b>{cost}</b>, which the balance does not cover." values={{ cost }} b={bold} />
          ) : (
            <Rich
              text="It costs <b>{cost}</b>, which leaves a balance of {left}."
              values={{ cost, left: money(left, organisation.currency) }}
              b={bold}
            />
          )}
        </p>
        <FormActions>
          <Button look="main" type="submit" icon="send" busy={start.isPending}>
            {send_at === undefined ? t('Send it') : t('Schedule it')}
          </Button>
          <Button onClick={onClose}>{t('Not yet')}</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

const bold = (inner: ReactNode) => <b>{inner}</b>
