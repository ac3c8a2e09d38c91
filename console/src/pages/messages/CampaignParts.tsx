import { usePages } from '../../read.ts'
import { Link } from '../../router.tsx'
import { plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { TimeLink } from '../../ui/TimeLink.tsx'
import { Charge } from './Charge.tsx'
import { MESSAGES, messageTo } from './messages.ts'
import { MainStatus } from './StatusCounts.tsx'

type Campaign = { id: string; name: string; messages?: number | undefined }

/** The name of a campaign in a list of messages, and a button that shows its messages below the row. */
export function CampaignName({
  campaign: { id, name, messages },
  expanded,
  expand,
}: {
  campaign: Campaign
  expanded: boolean
  expand: (id: string | undefined) => void
}) {
  return (
    <span className="campaign-name">
      <Link to={`/campaigns/${id}`}>{name}</Link>
      {messages !== undefined && (
        <Button
          look="bare"
          aria-expanded={expanded}
          aria-label={plural(messages, '{n} message of {name}', '{n} messages of {name}', { name })}
          onClick={() => expand(expanded ? undefined : id)}
        >
          {plural(messages, '{n} message', '{n} messages')}
        </Button>
      )}
    </span>
  )
}

/** The messages of a campaign, newest first. */
export function CampaignParts({ id }: { id: string }) {
  const messages = usePages(MESSAGES, 'messages', { campaign_id: id, limit: 20 })
  return (
    <PagedTable
      label={t('Messages of the campaign')}
      pages={messages}
      rowKey={(message) => message.id}
      columns={[
        {
          title: t('Sent||when'),
          cell: (message) => (
            <TimeLink
              to={`/messages/${message.id}`}
              at={message.created_datetime}
              about={messageTo(message.recipients)}
            />
          ),
        },
        {
          title: t('Recipients'),
          number: true,
          cell: ({ recipients_total }) => plural(recipients_total, '{n} recipient', '{n} recipients'),
        },
        { title: t('Status'), cell: (message) => <MainStatus message={message} /> },
        { title: t('Charge||what a message cost'), number: true, cell: (message) => <Charge {...message} /> },
      ]}
      empty={null}
    />
  )
}
