import { useContext, useState } from 'react'
import { call } from '../../api.ts'
import { useOnce, useWrite } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button, ReadOnly } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CAMPAIGNS, type CampaignWithOutcomes } from './campaigns.ts'
import { StartCampaign } from './StartCampaign.tsx'
import { TestCampaign } from './TestCampaign.tsx'

const STALE = [CAMPAIGNS, '/balance', '/console/api', '/sms'] as const
const OPEN = ['draft', 'estimating', 'estimated', 'scheduled', 'running', 'paused']

/** The actions that the campaign's state and the user's role allow. */
export function Controls({ campaign }: { campaign: CampaignWithOutcomes }) {
  const { id, status, started_datetime } = campaign
  const say = useSay()
  const [open, setOpen] = useState<'start' | 'test' | 'cancel'>()
  const close = () => setOpen(undefined)
  const failed = { onError: (fault: Error) => say(fault.message, 'bad') }
  const pause = useWrite(() => call('POST', `${CAMPAIGNS}/${id}/pause`), STALE)
  const resume = useWrite(() => call('POST', `${CAMPAIGNS}/${id}/resume`), STALE)
  const copy = useOnce(
    t('Copy of the campaign'),
    (_: void, once) => call('POST', `${CAMPAIGNS}/${id}/copy`, undefined, once),
    [CAMPAIGNS],
  )
  const duplicate = () => copy.mutate(undefined, { ...failed, onSuccess: (made) => go(`/campaigns/${made.id}/edit`) })
  const has_begun = started_datetime !== undefined
  if (useContext(ReadOnly)) return null
  return (
    <>
      {OPEN.includes(status) && (
        <Button onClick={() => setOpen('cancel')}>{has_begun ? t('Stop campaign') : t('Discard')}</Button>
      )}
      <Button busy={copy.isPending} onClick={duplicate}>
        {t('Duplicate')}
      </Button>
      {status === 'estimated' && (
        <Link to={`/campaigns/${id}/edit`} className="button">
          {t('Edit')}
        </Link>
      )}
      {(status === 'estimated' || status === 'draft') && !campaign.is_incomplete && (
        <Button onClick={() => setOpen('test')}>{t('Send a test to yourself')}</Button>
      )}
      {(status === 'running' || status === 'scheduled') && (
        <Button busy={pause.isPending} onClick={() => pause.mutate(undefined, failed)}>
          {t('Pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button look="main" busy={resume.isPending} onClick={() => resume.mutate(undefined, failed)}>
          {t('Resume')}
        </Button>
      )}
      {status === 'estimated' && (
        <Button
          look="main"
          icon="send"
          blocked={campaign.estimate?.people === 0 ? t('No recipient would get it.') : undefined}
          onClick={() => setOpen('start')}
        >
          {campaign.send_at === undefined ? t('Send…') : t('Schedule…')}
        </Button>
      )}
      {open === 'start' && <StartCampaign campaign={campaign} onClose={close} />}
      {open === 'test' && <TestCampaign campaign={campaign} onClose={close} />}
      {open === 'cancel' && (
        <Confirm
          title={has_begun ? t('Stop the campaign?') : t('Discard the campaign?')}
          action={has_begun ? t('Stop campaign') : t('Discard it')}
          keep={has_begun ? t('Keep sending') : t('Keep it')}
          write={() => call('POST', `${CAMPAIGNS}/${id}/cancel`)}
          stale={STALE}
          onClose={close}
        >
          <p>
            {has_begun
              ? t(
                  'No further recipients get it. Charges for messages not yet sent are refunded; messages already sent are not affected.',
                )
              : t('Nothing was sent or charged.')}
          </p>
        </Confirm>
      )}
    </>
  )
}
