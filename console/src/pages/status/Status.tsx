import type { StatusAnswer } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { plural, t } from '../../text/text.ts'
import { LiveBadge, type Tone } from '../../ui/Badge.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { checkWords, findingWords } from './finding-words.ts'
import './status.css'

const EVERY_MS = 10_000

type Finding = StatusAnswer['findings'][number]

const TONES: Record<Finding['level'], Tone> = { ok: 'good', warning: 'warn', critical: 'bad' }

/** The checks of `gangan status`, the worst first, with what to do. */
export default function Status() {
  const found = useRead('/console/api/status', { every_ms: EVERY_MS })
  const answer = found.data
  return (
    <Page
      title={t('Status||of the installation')}
      lead={t('The service, its database and its carriers, and what to do about them.')}
    >
      <Pending read={found} />
      {answer && (
        <>
          <p role="status" className="status-sum">
            {sumUp(answer.findings)}
          </p>
          <Section
            title={t('Checks')}
            lead={
              <>
                {t('Refreshed every ten seconds.')} <Time at={answer.checked_datetime} />
              </>
            }
            flush
          >
            <Table
              label={t('Checks')}
              rows={worstFirst(answer.findings)}
              rowKey={({ check, summary }) => `${check} ${summary}`}
              columns={[
                { title: t('Check'), narrow: true, cell: ({ check }) => <b>{checkWords(check)}</b> },
                {
                  title: t('State'),
                  narrow: true,
                  cell: ({ level }) => <LiveBadge status={level} tone={TONES[level]} />,
                },
                { title: t('Finding'), cell: (finding) => <FindingText finding={finding} /> },
              ]}
              empty={<Empty title={t('Nothing was checked.')} />}
            />
          </Section>
        </>
      )}
    </Page>
  )
}

function FindingText({ finding: { check, summary, advice, runbook } }: { finding: Finding }) {
  const name = checkWords(check)
  return (
    <div>
      {findingWords(summary)}
      {advice !== undefined && (
        <div className="soft small">
          {findingWords(advice)}{' '}
          {runbook !== undefined && (
            <a href={`/docs/runbook#${runbook}`} target="_blank" rel="noreferrer">
              {t('Runbook: {check}', { check: name })}
            </a>
          )}
        </div>
      )}
    </div>
  )
}

function sumUp(findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']): number => findings.filter(({ level }) => level === wanted).length
  const [critical, warnings] = [count('critical'), count('warning')]
  if (critical + warnings === 0) return t('Everything is in order.')
  const parts = [
    ...(critical > 0 ? [plural(critical, '{n} critical finding', '{n} critical findings')] : []),
    ...(warnings > 0 ? [plural(warnings, '{n} warning', '{n} warnings')] : []),
  ]
  return parts.join(', ')
}

const ORDER: readonly Finding['level'][] = ['critical', 'warning', 'ok']

function worstFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
}
