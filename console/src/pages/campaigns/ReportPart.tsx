import { useState } from 'react'
import { download } from '../../api.ts'
import { useRead } from '../../read.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { percent } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CAMPAIGNS, type CampaignReport, type CampaignWithOutcomes } from './campaigns.ts'

const EVERY_MS = 3_000

/** What became of it: to whom it came, why not to others, and what they did. */
export function ReportPart({ campaign: { id, texts } }: { campaign: CampaignWithOutcomes }) {
  const say = useSay()
  const [saving, setSaving] = useState(false)
  const found = useRead(`${CAMPAIGNS}/${id}/report`, { every_ms: EVERY_MS })
  function save() {
    setSaving(true)
    download(`${CAMPAIGNS}/${id}/report.csv`, 'campaign.csv')
      .catch((fault: Error) => say(fault.message, 'bad'))
      .finally(() => setSaving(false))
  }
  const report = found.data
  return (
    <Section
      title="Report"
      actions={
        <Button busy={saving} onClick={save}>
          Export everybody as CSV
        </Button>
      }
    >
      {found.isPending && <Loading />}
      {found.error && !report && <Trouble error={found.error} />}
      {report && (
        <div className="stack">
          <DataList
            items={[
              ...Object.entries(report.outcomes).map(
                ([outcome, count]) => [word(outcome), count.toLocaleString('en')] as const,
              ),
              ['Clicked', report.clicked.toLocaleString('en')],
              ['Replied', report.replied.toLocaleString('en')],
              ['Opted out', report.opted_out.toLocaleString('en')],
              ['Refunded', <Money amount={report.refunded} />],
              ['Cost', <Money amount={report.charge} />],
            ]}
          />
          {texts.length > 1 && <Texts report={report} />}
          <Failures failures={report.failures} />
          <Operators operators={report.operators} />
          <Hours hours={report.hours} />
        </div>
      )}
    </Section>
  )
}

function word(outcome: string): string {
  return outcome.charAt(0).toUpperCase() + outcome.slice(1)
}

function Texts({ report: { texts, winner } }: { report: CampaignReport }) {
  return (
    <Table
      label="Texts"
      rows={texts}
      rowKey={({ text_number }) => String(text_number)}
      empty={null}
      columns={[
        {
          title: 'Text',
          cell: ({ text_number }) => (
            <>
              Text {text_number} {winner === text_number && <Badge status="winner" tone="good" />}
            </>
          ),
        },
        { title: 'People', number: true, cell: ({ people }) => people.toLocaleString('en') },
        { title: 'Delivered', number: true, cell: ({ delivered_rate }) => percent(delivered_rate) },
        { title: 'Clicked', number: true, cell: ({ clicked_rate }) => percent(clicked_rate) },
      ]}
    />
  )
}

function Failures({ failures }: Pick<CampaignReport, 'failures'>) {
  return (
    <Table
      label="Not delivered, by reason and operator"
      rows={failures}
      rowKey={({ outcome, code, operator }) => `${outcome} ${code} ${operator}`}
      empty={null}
      columns={[
        { title: 'Not delivered', cell: ({ outcome }) => <Badge status={outcome} /> },
        { title: 'Reason', cell: ({ code }) => code || '–' },
        { title: 'Operator', cell: ({ operator }) => operator || 'unknown' },
        { title: 'People', number: true, cell: ({ people }) => people.toLocaleString('en') },
      ]}
    />
  )
}

function Operators({ operators }: Pick<CampaignReport, 'operators'>) {
  return (
    <Table
      label="By operator"
      rows={operators}
      rowKey={({ operator }) => operator}
      empty={null}
      columns={[
        { title: 'Operator', cell: ({ operator }) => operator || 'unknown' },
        { title: 'People', number: true, cell: ({ people }) => people.toLocaleString('en') },
        { title: 'Delivered', number: true, cell: ({ delivered }) => delivered.toLocaleString('en') },
      ]}
    />
  )
}

function Hours({ hours }: Pick<CampaignReport, 'hours'>) {
  return (
    <Table
      label="Over time"
      rows={hours}
      rowKey={({ hour }) => hour}
      empty={null}
      columns={[
        { title: 'Hour', cell: ({ hour }) => <Time at={hour} seconds={false} /> },
        { title: 'Delivered', number: true, cell: ({ delivered }) => delivered.toLocaleString('en') },
        { title: 'Failed', number: true, cell: ({ failed }) => failed.toLocaleString('en') },
      ]}
    />
  )
}
