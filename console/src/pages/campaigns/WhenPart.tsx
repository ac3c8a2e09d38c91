import { t } from '../../text/text.ts'
import { DateField } from '../../ui/date/DateField.tsx'
import { TextField } from '../../ui/fields.tsx'
import type { CampaignDraft } from './campaigns.ts'

type Props = { draft: CampaignDraft; change: (part: Partial<CampaignDraft>) => void }

/** When it begins, how fast it goes, and when it rests. */
export function WhenPart({ draft, change }: Props) {
  return (
    <div className="campaign-when">
      <DateField
        kind="moment"
        name="send_at"
        label={t('Start time')}
        optional
        hint={draft.send_at === '' ? t('Immediately, unless you choose a time.') : undefined}
        value={draft.send_at}
        onChange={(send_at) => change({ send_at })}
      />
      <TextField
        name="pace_per_hour"
        label={t('Recipients per hour||the pace of a campaign')}
        optional
        inputMode="numeric"
        placeholder={t('As fast as possible')}
        value={draft.pace_per_hour}
        onChange={(pace) => change({ pace_per_hour: pace.replace(/\D/g, '').slice(0, 8) })}
      />
      <DateField
        kind="time"
        zone={t('recipient’s time')}
        name="quiet_from"
        label={t('Quiet from')}
        optional
        hint={t('Nothing is sent between these times.')}
        value={draft.quiet_from}
        onChange={(quiet_from) => change({ quiet_from })}
      />
      <DateField
        kind="time"
        zone={t('recipient’s time')}
        name="quiet_until"
        label={t('Quiet until')}
        optional
        value={draft.quiet_until}
        onChange={(quiet_until) => change({ quiet_until })}
      />
    </div>
  )
}
