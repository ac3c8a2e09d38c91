import { useContext } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { plural, Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ReadOnly } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { CAMPAIGNS, PAUSES, STATES, TONES, type CampaignWithOutcomes } from './campaigns.ts'
import { groupsOf } from '../contacts/contacts.ts'
import { Controls } from './Controls.tsx'
import { EstimatePart } from './EstimatePart.tsx'
import { ProgressPart } from './ProgressPart.tsx'
import { ReportPart } from './ReportPart.tsx'
import { useFilterWords } from './WhoPart.tsx'

const EVERY_MS = 1_000
const EVERY_WHEN_OVER_MS = 10_000
const MOVING = ['estimating', 'scheduled', 'running', 'paused']

/** One campaign, from the estimate to the report. */
export function CampaignView({ id }: { id: string }) {
  const path = `${CAMPAIGNS}/${id}` as const
  const first = useRead(path)
  const is_moving = first.data !== undefined && MOVING.includes(first.data.status)
  const found = useRead(path, { every_ms: is_moving ? EVERY_MS : EVERY_WHEN_OVER_MS })
  const campaign = found.data
  return (
    <Page
      title={campaign?.name ?? t('Campaign')}
      lead={campaign ? leadOf(campaign) : undefined}
      actions={campaign && <Controls campaign={campaign} />}
    >
      {found.isPending && <Loading />}
      {found.error && !campaign && <Trouble error={found.error} />}
      {campaign && <Parts campaign={campaign} />}
    </Page>
  )
}

function leadOf({ status, send_at }: CampaignWithOutcomes) {
  return (
    <>
      <Badge status={STATES[status]} tone={TONES[status]} />{' '}
      {status === 'scheduled' && (
        <Rich text="starts {time}" values={{ time: <Time at={send_at} seconds={false} zoned /> }} />
      )}
    </>
  )
}

function Parts({ campaign }: { campaign: CampaignWithOutcomes }) {
  const { status, estimate, pause_reason, fault, started_datetime } = campaign
  // Until its time has come there is nothing to report.
  const has_begun = started_datetime !== undefined && status !== 'scheduled'
  return (
    <div className="stack">
      {(pause_reason !== undefined || fault !== undefined) && (
        <p className="campaign-notice" role="status">
          {PAUSES[pause_reason ?? 'refused']} {fault}
        </p>
      )}
      {status === 'draft' && <DraftPart campaign={campaign} />}
      {campaign.resend_of !== undefined && (
        <p className="soft">
          <Link to={`/campaigns/${campaign.resend_of}`}>{t('For the failed recipients of this campaign')}</Link>
        </p>
      )}
      {has_begun && <ProgressPart campaign={campaign} />}
      {estimate && !has_begun && <EstimatePart campaign={campaign} estimate={estimate} />}
      {has_begun && <ReportPart campaign={campaign} />}
      <Section title={t('Settings of the campaign')}>
        <DataList
          items={[
            [t('Audience'), <Audience campaign={campaign} />],
            [t('Type'), campaign.route_class === 'promotional' ? t('Promotional') : t('Transactional')],
            [t('Link tracking'), campaign.is_trackable ? t('Clicks on links are counted') : t('Off||a setting')],
            ...campaign.texts.map(
              ({ content, share }, n) =>
                [
                  campaign.texts.length > 1 ? t('Text {n}, {share}%', { n: n + 1, share }) : t('Text'),
                  content,
                ] as const,
            ),
            [t('Sender'), campaign.sender_id],
            [t('Channel'), campaign.channel === 'sms' ? 'SMS' : 'WhatsApp'],
            [t('Start time'), campaign.send_at && <Time at={campaign.send_at} seconds={false} zoned />],
            [
              t('Pace'),
              campaign.pace_per_hour &&
                plural(campaign.pace_per_hour, '{n} recipient per hour', '{n} recipients per hour'),
            ],
            [
              t('Quiet hours'),
              campaign.quiet_from &&
                t('{from} to {until}', { from: campaign.quiet_from, until: campaign.quiet_until ?? '' }),
            ],
            [t('Created||a campaign'), <Time at={campaign.created_datetime} />],
          ]}
        />
      </Section>
    </div>
  )
}

/** The smartlist and its filters, or the uploaded recipients. */
function Audience({ campaign: { smartlist_id, filters, uploaded } }: { campaign: CampaignWithOutcomes }) {
  const lists = useRead(smartlist_id === undefined ? null : '/lists/contact/smartlists?limit=200')
  const words = useFilterWords(groupsOf(filters ?? []))
  if (smartlist_id === undefined) return plural(uploaded, '{n} uploaded||one recipient', '{n} uploaded||recipients')
  const name = lists.data?.smartlists.find(({ id }) => id === smartlist_id)?.name ?? t('A smartlist')
  return words === '' ? name : t('{list}, only those where {filters}', { list: name, filters: words })
}

/** The next action, if the user's role allows it. */
function DraftPart({ campaign: { id, is_incomplete } }: { campaign: CampaignWithOutcomes }) {
  const estimate = useWrite(() => call('POST', `${CAMPAIGNS}/${id}/estimate`), [CAMPAIGNS])
  if (useContext(ReadOnly)) return null
  if (is_incomplete) {
    return (
      <Section title={t('Not finished yet')} lead={t('Everything you have entered is saved.')}>
        <Link to={`/campaigns/${id}/edit`} className="button main">
          {t('Continue')}
        </Link>
      </Section>
    )
  }
  return (
    <Section title={t('Not checked yet')} lead={t('See the recipients and the cost. Nothing is sent or charged.')}>
      {estimate.error && <Trouble error={estimate.error} />}
      <div className="row">
        <Button look="main" busy={estimate.isPending} onClick={() => estimate.mutate()}>
          {t('Check recipients and cost')}
        </Button>
        <Link to={`/campaigns/${id}/edit`} className="button">
          {t('Edit')}
        </Link>
      </div>
    </Section>
  )
}
