import { useContext, useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { go } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button, ReadOnly } from '../../ui/Button.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CAMPAIGNS, people, type CampaignReport, type CampaignWithOutcomes } from './campaigns.ts'
import { DownloadRecipients, RecipientList } from './RecipientList.tsx'

const FAILED = ['undelivered', 'expired', 'rejected', 'failed']

/** The recipients that were not reached, with advice, and a campaign for them. */
export function FailedPart({ campaign, report }: { campaign: CampaignWithOutcomes; report: CampaignReport }) {
  const { id, status } = campaign
  const say = useSay()
  const [open, setOpen] = useState(false)
  const resend = useWrite(() => call('POST', `${CAMPAIGNS}/${id}/resend`), [CAMPAIGNS])
  const read_only = useContext(ReadOnly)
  const failed = FAILED.reduce((sum, outcome) => sum + (report.outcomes[outcome] ?? 0), 0)
  if (failed === 0) return null
  const over = status === 'finished' || status === 'canceled'
  return (
    <section className="stack" aria-label={t('Failed recipients')}>
      <div className="row">
        {!read_only && (
          <Button
            busy={resend.isPending}
            blocked={over ? undefined : t('Available once the campaign has ended: other deliveries may still fail.')}
            onClick={() =>
              resend.mutate(undefined, {
                onSuccess: (made) => go(`/campaigns/${made.id}`),
                onError: (fault) => say(fault.message, 'bad'),
              })
            }
          >
            {t('Resend to failed')}
          </Button>
        )}
        <DownloadRecipients id={id} outcome="failed" />
        {over && (
          <span className="soft small">
            {t(
              'Prepares a campaign for the {people} that were not reached. You check and confirm it before it is sent.',
              { people: people(failed) },
            )}
          </span>
        )}
      </div>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('Show recipients not reached')}</summary>
        {open && <RecipientList id={id} outcome="failed" />}
      </details>
    </section>
  )
}
