import { TextField } from '../../ui/fields.tsx'
import type { CampaignDraft } from './campaigns.ts'

type Props = { draft: CampaignDraft; change: (part: Partial<CampaignDraft>) => void }

/** When it begins, how fast it goes, and when it rests. */
export function WhenPart({ draft, change }: Props) {
  return (
    <div className="fields">
      <TextField
        name="send_at"
        label="Begins"
        optional
        type="datetime-local"
        hint={draft.send_at === '' ? 'At once, unless you choose a time.' : undefined}
        value={draft.send_at}
        onChange={(send_at) => change({ send_at })}
      />
      <TextField
        name="pace_per_hour"
        label="People an hour"
        optional
        inputMode="numeric"
        placeholder="As fast as can be"
        value={draft.pace_per_hour}
        onChange={(pace_per_hour) => change({ pace_per_hour })}
      />
      <TextField
        name="quiet_from"
        label="Quiet from"
        optional
        type="time"
        hint="By the clock of each recipient’s country."
        value={draft.quiet_from}
        onChange={(quiet_from) => change({ quiet_from })}
      />
      <TextField
        name="quiet_until"
        label="Quiet until"
        optional
        type="time"
        value={draft.quiet_until}
        onChange={(quiet_until) => change({ quiet_until })}
      />
    </div>
  )
}
