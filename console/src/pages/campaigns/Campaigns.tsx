import type { PageProps } from '../../pages.ts'
import { usePages } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { CampaignView } from './CampaignView.tsx'
import { CAMPAIGNS, TONES, type Campaign } from './campaigns.ts'
import { EditCampaign, NewCampaign } from './EditCampaign.tsx'
import './campaigns.css'

const EVERY_MS = 5_000

/** `#/campaigns` lists them, `/new` makes one, `/<id>` shows one and `/<id>/edit` changes one that has not begun. */
export default function Campaigns({ rest: [id, what] }: PageProps) {
  if (id === 'new') return <NewCampaign />
  if (id !== undefined) return what === 'edit' ? <EditCampaign id={id} /> : <CampaignView id={id} />
  return <List />
}

function List() {
  const campaigns = usePages(CAMPAIGNS, 'campaigns', { limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Page
      title="Campaigns"
      lead="One message to many people: see who gets it and what it costs before it leaves, and stop it on the way."
      wide
      actions={
        <Link to="/campaigns/new" className="button main">
          New campaign
        </Link>
      }
    >
      <Section flush>
        <PagedTable
          label="Campaigns"
          pages={campaigns}
          rowKey={({ id }) => id}
          onRow={({ id }) => go(`/campaigns/${id}`)}
          columns={[
            { title: 'Name', clip: true, cell: ({ id, name }) => <Link to={`/campaigns/${id}`}>{name}</Link> },
            { title: 'Status', narrow: true, cell: ({ status }) => <Badge status={status} tone={TONES[status]} /> },
            { title: 'People', number: true, narrow: true, cell: reach },
            { title: 'Cost', number: true, narrow: true, cell: cost },
            {
              title: 'When',
              narrow: true,
              cell: ({ send_at, started_datetime, created_datetime }) => (
                <Time at={send_at ?? started_datetime ?? created_datetime} seconds={false} />
              ),
            },
          ]}
          empty={
            <Empty title="There are no campaigns yet.">
              <p>Choose a smartlist or a file, write the text, and see the exact cost before anything leaves.</p>
              <Link to="/campaigns/new" className="button">
                New campaign
              </Link>
            </Empty>
          }
        />
      </Section>
    </Page>
  )
}

function reach({ estimate, progress, started_datetime }: Campaign) {
  const all = estimate?.people
  if (all === undefined) return <span className="soft">–</span>
  if (started_datetime === undefined) return all.toLocaleString('en')
  return (
    <>
      {progress.accepted.toLocaleString('en')} <span className="soft">of {all.toLocaleString('en')}</span>
    </>
  )
}

function cost({ estimate, progress, started_datetime }: Campaign) {
  if (started_datetime !== undefined) return <Money amount={progress.charge - progress.given_back} />
  return estimate ? <Money amount={estimate.charge} /> : <span className="soft">–</span>
}
