import { useState } from 'react'
import { download } from '../../api.ts'
import { usePages } from '../../read.ts'
import { Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Reason } from '../../ui/Reason.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CAMPAIGNS, REASONS } from './campaigns.ts'

/** As often as the report above it. */
const EVERY_MS = 3_000

type Outcome = 'left_out' | 'failed'

/** The recipients that a campaign leaves out, or whose delivery failed, with the reason of each. */
export function RecipientList({ id, outcome }: { id: string; outcome: Outcome }) {
  const pages = usePages(`${CAMPAIGNS}/${id}/recipients`, 'recipients', { outcome, limit: 20 }, { every_ms: EVERY_MS })
  return (
    <PagedTable
      label={outcome === 'failed' ? t('Failed recipients') : t('Recipients left out')}
      pages={pages}
      rowKey={({ recipient, message_id = '' }) => `${recipient} ${message_id}`}
      columns={[
        {
          title: t('Recipient'),
          narrow: true,
          cell: ({ recipient, message_id }) =>
            message_id === undefined ? (
              phoneText(recipient) || '–'
            ) : (
              <Link to={`/messages/${message_id}/${recipient}`}>{phoneText(recipient)}</Link>
            ),
        },
        {
          title: t('Reason'),
          cell: ({ reason, ...failure }) =>
            reason === undefined ? <Reason {...failure} /> : (REASONS[reason] ?? reason),
        },
      ]}
      empty={null}
    />
  )
}

/** The same as a file. */
export function DownloadRecipients({ id, outcome }: { id: string; outcome?: Outcome }) {
  const say = useSay()
  const [saving, setSaving] = useState(false)
  function save() {
    setSaving(true)
    const path = `${CAMPAIGNS}/${id}/report.csv` as const
    download(outcome === undefined ? path : `${path}?outcome=${outcome}`, 'campaign.csv')
      .catch((fault: Error) => say(fault.message, 'bad'))
      .finally(() => setSaving(false))
  }
  return (
    <Button icon="export" busy={saving} onClick={save}>
      {outcome === undefined ? t('Export all recipients as CSV') : t('Download as CSV')}
    </Button>
  )
}
