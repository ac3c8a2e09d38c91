import type { ShownProbe } from '../../api-types.ts'
import { download, withQuery } from '../../api.ts'
import { usePages } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { duration, Time } from '../../ui/Time.tsx'
import { ExportButton } from '../analytics/ExportButton.tsx'
import { OUTCOMES } from '../carriers/outcome-words.ts'
import { operatorName } from '../evidence/evidence.ts'
import { Counts } from './Counts.tsx'
import { arrivalOf, DISPLAYED, readCarrier, RESULTS, senderShown, type Plans } from './probes.ts'

const EVERY_MS = 5_000

/** What arrived, beside what carriers reported. */
export function Results({ plans }: { plans: Plans }) {
  const carrier = readCarrier(useRoute().query)
  const pages = usePages(RESULTS, 'probes', { carrier, limit: 50 }, { every_ms: EVERY_MS })
  const counts = pages.first?.counts ?? []
  // A carrier that is no longer configured may have results.
  const known = [...plans.carriers, ...plans.plans, ...counts, ...pages.rows, carrier ?? '']
  const carriers = new Set(
    known.map((one) => (typeof one === 'string' ? one : one.carrier)).filter((one) => one !== ''),
  )
  return (
    <>
      <Counts counts={counts} />
      <Section
        title={t('Results')}
        lead={t(
          'A probe that has not arrived within an hour counts as not arrived. In the dispute file, for the carrier, numbers are hashed.',
        )}
        flush
        actions={
          <>
            <Select
              label={t('Carrier')}
              value={carrier ?? ''}
              onChange={(name) => changeQuery({ carrier: name })}
              choices={[
                { value: '', label: t('All carriers') },
                ...[...carriers].toSorted().map((name) => ({ value: name, label: name })),
              ]}
            />
            <ExportButton
              label={t('Dispute file')}
              save={() =>
                download(
                  withQuery(`${RESULTS}.csv`, { carrier }),
                  carrier === undefined ? 'probes.csv' : `probes-${carrier}.csv`,
                )
              }
            />
          </>
        }
      >
        <PagedTable
          label={t('Results')}
          pages={pages}
          rowKey={({ id }) => id}
          columns={[
            {
              title: t('Submitted||a moment'),
              cell: ({ submitted_datetime, plan, campaign_id }) => (
                <div>
                  <Time at={submitted_datetime} /> <span className="second-line soft small">{plan}</span>
                  {campaign_id !== undefined && (
                    <span className="second-line soft small">{t('text of a campaign')}</span>
                  )}
                </div>
              ),
            },
            {
              title: t('Carrier and operator'),
              cell: (probe) => (
                <div>
                  <b>{probe.carrier}</b> <span className="second-line soft">{operatorName(probe)}</span>{' '}
                  <span className="second-line soft small">
                    <Phone number={probe.recipient} />
                  </span>
                </div>
              ),
            },
            { title: t('Sender'), cell: (probe) => <SenderCell probe={probe} /> },
            { title: t('Text'), cell: (probe) => <TextCell probe={probe} /> },
            { title: t('Arrival'), cell: (probe) => <ArrivalCell probe={probe} /> },
            { title: t('Report||of a carrier'), cell: (probe) => <ReportCell probe={probe} /> },
          ]}
          empty={
            carrier === undefined ? (
              <Empty title={t('No probes yet.')}>{t('Run a plan, or switch one on.')}</Empty>
            ) : (
              <Empty title={t('No probes through {carrier}.', { carrier })}>
                <Button onClick={() => changeQuery({ carrier: undefined })}>{t('Show all carriers')}</Button>
              </Empty>
            )
          }
        />
      </Section>
    </>
  )
}

function SenderCell({ probe }: { probe: ShownProbe }) {
  const shown = senderShown(probe)
  return (
    <div>
      {probe.sender_id}{' '}
      {shown !== undefined && (
        <span className="second-line">{t('displayed: {sender}', { sender: shown === '' ? '–' : shown })}</span>
      )}
    </div>
  )
}

function TextCell({ probe: { text, displayed, displayed_text } }: { probe: ShownProbe }) {
  return (
    <div className="probes-text">
      {text}
      {(displayed === 'changed' || displayed === 'part') && (
        <div className="probes-displayed">
          <Badge status={DISPLAYED[displayed]} tone="bad" /> {displayed_text}
        </div>
      )}
    </div>
  )
}

function ArrivalCell({ probe }: { probe: ShownProbe }) {
  const { words, tone } = arrivalOf(probe)
  const { outcome, outcome_reason, seconds } = probe
  return (
    <div>
      <Badge status={words} tone={tone} />{' '}
      {seconds !== undefined && (
        <span className="second-line">{t('after {time}', { time: duration(1_000 * seconds) })}</span>
      )}
      {outcome !== 'accepted' && (
        <span className="second-line soft small">
          {OUTCOMES[outcome]} {outcome_reason}
        </span>
      )}
    </div>
  )
}

function ReportCell({ probe: { report, report_code, reported_datetime, submitted_datetime } }: { probe: ShownProbe }) {
  if (report === undefined) return <span className="soft">{t('none||a report')}</span>
  return (
    <div>
      <Badge status={report} />{' '}
      {reported_datetime !== undefined && (
        <span className="second-line">
          {t('after {time}', {
            time: duration(Math.max(0, Date.parse(reported_datetime) - Date.parse(submitted_datetime))),
          })}
        </span>
      )}
      {report_code !== undefined && <span className="second-line soft small">{report_code}</span>}
    </div>
  )
}
