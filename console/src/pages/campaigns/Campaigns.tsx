import { useContext, type ReactNode } from 'react'
import type { PageProps } from '../../page-props.ts'
import { usePages } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { number, Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ReadOnly } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { CampaignView } from './CampaignView.tsx'
import { CAMPAIGNS, STATES, TONES, type Campaign } from './campaigns.ts'
import { EditCampaign, NewCampaign } from './EditCampaign.tsx'
import './campaigns.css'

const EVERY_MS = 5_000

/** `#/campaigns` lists them, `/new` makes one, `/<id>` shows one and `/<id>/edit` changes one that has not begun. */
export default function Campaigns({ rest: [id, what] }: PageProps) {
  const read_only = useContext(ReadOnly)
  if (id === undefined || (id === 'new' && read_only)) return <List />
  if (id === 'new') return <NewCampaign />
  return what === 'edit' && !read_only ? <EditCampaign id={id} /> : <CampaignView id={id} />
}

function List() {
  const campaigns = usePages(CAMPAIGNS, 'campaigns', { limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Page
      title={t('Campaigns')}
      lead={t(
        'One message to many recipients: see the recipients and the cost before sending, and pause or cancel at any time.',
      )}
      wide
      actions={
        <Link to="/campaigns/new" className="button main">
          {t('New campaign')}
        </Link>
      }
    >
      <Section flush>
        <PagedTable
          label={t('Campaigns')}
          pages={campaigns}
          rowKey={({ id }) => id}
          onRow={(campaign) => go(pageOf(campaign))}
          columns={[
            { title: t('Name'), clip: true, cell: (campaign) => <Link to={pageOf(campaign)}>{campaign.name}</Link> },
            {
              title: t('Status'),
              narrow: true,
              cell: ({ status }) => <Badge status={STATES[status]} tone={TONES[status]} />,
            },
            { title: t('People'), number: true, narrow: true, cell: reach },
            { title: t('Cost'), number: true, narrow: true, cell: cost },
            {
              title: t('When'),
              narrow: true,
              cell: ({ send_at, started_datetime, created_datetime }) => (
                <Time at={send_at ?? started_datetime ?? created_datetime} seconds={false} />
              ),
            },
          ]}
          empty={
            <Empty title={t('There are no campaigns yet.')}>
              <p>
                {t('Choose a smartlist or a file, write the text, and see the exact cost before anything is sent.')}
              </p>
              <Link to="/campaigns/new" className="button" changes>
                {t('New campaign')}
              </Link>
            </Empty>
          }
        />
      </Section>
    </Page>
  )
}

/** An incomplete campaign continues where it was left. */
function pageOf({ id, is_incomplete }: Campaign): string {
  return is_incomplete ? `/campaigns/${id}/edit` : `/campaigns/${id}`
}

function reach({ estimate, progress, started_datetime }: Campaign) {
  const all = estimate?.people
  if (all === undefined) return <span className="soft">–</span>
  if (started_datetime === undefined) return number(all)
  return (
    <span>
      <Rich
        text="{sent} <soft>of {all}</soft>"
        values={{ sent: number(progress.accepted), all: number(all) }}
        soft={(inner: ReactNode) => <span className="soft">{inner}</span>}
      />
    </span>
  )
}

function cost({ estimate, progress, started_datetime }: Campaign) {
  if (started_datetime !== undefined) return <Money amount={progress.charge - progress.given_back} />
  return estimate ? <Money amount={estimate.charge} /> : <span className="soft">–</span>
}
