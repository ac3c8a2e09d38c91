import type { ReactNode } from 'react'
import { useRead } from '../../read.ts'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { percent } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { Reason } from '../../ui/Reason.tsx'
import { Table } from '../../ui/Table.tsx'
import { CAMPAIGNS, type CampaignReport, type CampaignWithOutcomes } from './campaigns.ts'
import { FailedPart } from './FailedPart.tsx'
import { Funnel } from './Funnel.tsx'
import { HoursChart } from './HoursChart.tsx'
import { DownloadRecipients } from './RecipientList.tsx'

const EVERY_MS = 3_000

/** How it came to people: each word stands before how many they are. */
const OUTCOMES: Record<string, string> = {
  waiting: t('Waiting||to people'),
  scheduled: t('Scheduled||to people'),
  queued: t('Queued||to people'),
  sent: t('Sent||to people'),
  delivered: t('Delivered||to people'),
  undelivered: t('Undelivered||to people'),
  expired: t('Expired||to people'),
  rejected: t('Rejected||to people'),
  failed: t('Failed||to people'),
  unknown: t('Unknown||to people'),
  canceled: t('Canceled||to people'),
}

/** What became of it: to whom it came, why not to others, and what they did. */
export function ReportPart({ campaign }: { campaign: CampaignWithOutcomes }) {
  const { id, texts } = campaign
  const found = useRead(`${CAMPAIGNS}/${id}/report`, { every_ms: EVERY_MS })
  const report = found.data
  return (
    <Section title={t('Report')} actions={<DownloadRecipients id={id} />}>
      {found.isPending && <Loading />}
      {found.error && !report && <Trouble error={found.error} />}
      {report && (
        <div className="stack">
          <Funnel report={report} />
          <HoursChart hours={report.hours} />
          <Part title={t('By outcome')}>
            <DataList
              items={[
                ...Object.entries(report.outcomes).map(
                  ([outcome, count]) => [OUTCOMES[outcome] ?? outcome, number(count)] as const,
                ),
                [t('Refunded'), <Money amount={report.refunded} />],
                [t('Cost'), <Money amount={report.charge} />],
              ]}
            />
          </Part>
          {texts.length > 1 && <Texts report={report} />}
          {report.operators.length > 0 && <Operators operators={report.operators} />}
          {report.failures.length > 0 && <Failures failures={report.failures} />}
          <FailedPart campaign={campaign} report={report} />
        </div>
      )}
    </Section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="campaign-part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Texts({ report: { texts, winner } }: { report: CampaignReport }) {
  return (
    <Part title={t('By text')}>
      <Table
        label={t('Texts')}
        rows={texts}
        rowKey={({ text_number }) => String(text_number)}
        empty={null}
        columns={[
          {
            title: t('Text'),
            cell: ({ text_number }) => (
              <>
                {t('Text {n}', { n: text_number })} {winner === text_number && <Badge status="winner" tone="good" />}
              </>
            ),
          },
          { title: t('People'), number: true, cell: ({ people }) => number(people) },
          { title: t('Delivered||to people'), number: true, cell: ({ delivered_rate }) => percent(delivered_rate) },
          { title: t('Clicked||people'), number: true, cell: ({ clicked_rate }) => percent(clicked_rate) },
        ]}
      />
    </Part>
  )
}

function Failures({ failures }: Pick<CampaignReport, 'failures'>) {
  return (
    <Part title={t('Not delivered, by reason and operator')}>
      <Table
        label={t('Not delivered, by reason and operator')}
        rows={failures}
        rowKey={({ outcome, code, operator }) => `${outcome} ${code} ${operator}`}
        empty={null}
        columns={[
          { title: t('Not delivered||to people'), cell: ({ outcome }) => <Badge status={outcome} /> },
          {
            title: t('Reason'),
            cell: (failure) => <Reason {...failure} />,
          },
          { title: t('Operator'), cell: ({ operator }) => operator || t('unknown||mobile operator') },
          { title: t('People'), number: true, cell: ({ people }) => number(people) },
        ]}
      />
    </Part>
  )
}

function Operators({ operators }: Pick<CampaignReport, 'operators'>) {
  return (
    <Part title={t('By operator')}>
      <Table
        label={t('By operator')}
        rows={operators}
        rowKey={({ operator }) => operator}
        empty={null}
        columns={[
          { title: t('Operator'), cell: ({ operator }) => operator || t('unknown||mobile operator') },
          { title: t('People'), number: true, cell: ({ people }) => number(people) },
          { title: t('Delivered||to people'), number: true, cell: ({ delivered }) => number(delivered) },
        ]}
      />
    </Part>
  )
}
