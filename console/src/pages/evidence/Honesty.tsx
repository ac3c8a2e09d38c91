import type { HonestyRow } from '../../api-types.ts'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { percent } from '../../ui/Figure.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { cellKey, operatorName } from './evidence.ts'
import { byOperator, factorWords, judgementOf } from './honesty.ts'

/** Whether the reports of each carrier are true, at each operator. */
export function Honesty({ rows }: { rows: readonly HonestyRow[] }) {
  return (
    <Section
      title={t('Honesty of reports')}
      lead={t(
        'The verified share of what a carrier reports as delivered, compared with the other carriers at the same operator: all one-time passwords and probes of the last 7 days. A carrier is doubtful if even the upper bound is below 100%.',
      )}
      flush
    >
      <Table
        label={t('Honesty of reports')}
        rows={byOperator(rows)}
        rowKey={cellKey}
        columns={[
          {
            title: t('Carrier and operator'),
            cell: ({ carrier, country = '', operator = '' }) => (
              <>
                <b>{carrier}</b> <span className="second-line soft">{operatorName({ country, operator })}</span>
              </>
            ),
          },
          { title: t('Reports||of a carrier'), cell: (row) => <HonestyCell row={row} /> },
          { title: t('Reported delivered'), number: true, cell: ({ otps }) => number(otps) },
          { title: t('Verified'), number: true, cell: ({ verified }) => number(verified) },
          {
            title: t('Expected'),
            number: true,
            cell: ({ expected }) => (expected === undefined ? '–' : number(Math.round(expected))),
          },
          { title: t('Within a second'), number: true, minor: true, cell: ({ fast_share }) => percent(fast_share) },
          { title: t('Contradicted'), number: true, cell: ({ contradicted }) => number(contradicted) },
          { title: t('Confirmed'), number: true, cell: ({ confirmed }) => number(confirmed) },
        ]}
        empty={
          <Empty title={t('No carrier could be compared.')}>
            {t('Send one-time passwords to the same operator through at least two carriers.')}
          </Empty>
        }
      />
    </Section>
  )
}

/** The judgement, and the factor with its bounds. */
export function HonestyCell({ row }: { row: HonestyRow | undefined }) {
  if (!row) return <span className="soft">–</span>
  const { words, tone } = judgementOf(row)
  const factor = factorWords(row)
  return (
    <>
      <Badge status={words} tone={tone} />
      {factor !== undefined && <span className="second-line soft small">{factor}</span>}
    </>
  )
}
