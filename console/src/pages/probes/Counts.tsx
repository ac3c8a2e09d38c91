import type { ProbeCounts } from '../../api-types.ts'
import { number, t } from '../../text/text.ts'
import { Empty } from '../../ui/Empty.tsx'
import { percent } from '../../ui/Figure.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { cellKey, operatorName } from '../evidence/evidence.ts'

/** Probes that were reported as delivered, and how many of them arrived. */
export function Counts({ counts }: { counts: readonly ProbeCounts[] }) {
  return (
    <Section
      title={t('Reports and arrivals')}
      lead={t(
        'Probes of the last 30 days that the carrier reported as delivered. A probe counts only if its number received another one in the day before it and in the day after it, so that a phone without reception accuses no carrier.',
      )}
      flush
    >
      <Table
        label={t('Reports and arrivals')}
        rows={counts}
        rowKey={cellKey}
        columns={[
          {
            title: t('Carrier and operator'),
            cell: (row) => (
              <div>
                <b>{row.carrier}</b> <span className="second-line soft">{operatorName(row)}</span>
              </div>
            ),
          },
          { title: t('Reported delivered'), number: true, cell: ({ delivered }) => number(delivered) },
          { title: t('Arrived||probes'), number: true, cell: ({ arrived }) => number(arrived) },
          {
            title: t('Share that arrived'),
            number: true,
            cell: ({ delivered, arrived }) => percent(delivered > 0 ? arrived / delivered : undefined),
          },
        ]}
        empty={
          <Empty title={t('Nothing to compare yet.')}>
            {t('Switch plans on: a probe counts once another one has arrived at its number before it and after it.')}
          </Empty>
        }
      />
    </Section>
  )
}
