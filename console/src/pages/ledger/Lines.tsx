import type { LedgerEntry } from '../../../../clients/typescript/src/types.ts'
import { useState } from 'react'
import { usePages, type Pages } from '../../read.ts'
import { Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { phoneText } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { CampaignName } from '../messages/CampaignParts.tsx'
import { KINDS } from './filter.ts'

const EVERY_MS = 5_000

export function Lines({ pages, filtered }: { pages: Pages<LedgerEntry>; filtered: boolean }) {
  const [expanded, expand] = useState<string>()
  return (
    <Section flush>
      <PagedTable
        label={t('Lines')}
        pages={pages}
        rowKey={({ id }) => id}
        below={({ campaign }) => (campaign && campaign.id === expanded ? <CampaignLines id={expanded} /> : undefined)}
        columns={[
          { title: t('No.'), number: true, narrow: true, cell: ({ id }) => id },
          { title: t('When'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
          {
            title: t('Purpose||of a ledger entry'),
            cell: (entry) =>
              entry.campaign ? (
                <CampaignName campaign={entry.campaign} expanded={entry.campaign.id === expanded} expand={expand} />
              ) : (
                <For entry={entry} />
              ),
          },
          {
            title: t('Amount'),
            number: true,
            narrow: true,
            cell: ({ amount, campaign }) => <Money amount={campaign ? netOf(campaign) : amount} sign />,
          },
          {
            title: t('Balance'),
            number: true,
            narrow: true,
            // The lines of a campaign are not consecutive: other lines may stand between them.
            cell: ({ balance_after, campaign }) => (campaign ? '–' : <Money amount={balance_after} />),
          },
        ]}
        empty={
          filtered ? (
            <Empty title={t('No ledger entry matches.')}>{t('Choose another period, or clear the search.')}</Empty>
          ) : (
            <Empty title={t('No entries yet.')}>{t('The first is the opening balance.')}</Empty>
          )
        }
      />
    </Section>
  )
}

/** The sum of a campaign's charges and refunds, exact to the smallest unit. */
function netOf({ charge, refunded }: NonNullable<LedgerEntry['campaign']>): number {
  return Math.round((refunded - charge) * 10_000) / 10_000
}

/** All lines of a campaign, newest first. */
function CampaignLines({ id }: { id: string }) {
  const pages = usePages('/balance', 'entries', { campaign_id: id, limit: 20 }, { every_ms: EVERY_MS })
  return (
    <PagedTable
      label={t('Entries of the campaign')}
      pages={pages}
      rowKey={(entry) => entry.id}
      columns={[
        { title: t('No.'), number: true, narrow: true, cell: (entry) => entry.id },
        { title: t('When'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
        { title: t('Purpose||of a ledger entry'), cell: (entry) => <For entry={entry} /> },
        { title: t('Amount'), number: true, narrow: true, cell: ({ amount }) => <Money amount={amount} sign /> },
        {
          title: t('Balance'),
          number: true,
          narrow: true,
          cell: ({ balance_after }) => <Money amount={balance_after} />,
        },
      ]}
      empty={null}
    />
  )
}

function For({ entry }: { entry: LedgerEntry }) {
  const { id, kind, subject_id, subject_ids, recipient, note } = entry
  const title = KINDS[kind] ?? kind
  if (subject_ids) return <Several entry={entry} ids={subject_ids} />
  return (
    <>
      {kind === 'message' || kind === 'airtime' ? (
        <Link to={`/${kind === 'message' ? 'messages' : 'airtime'}/${subject_id}`}>
          {title}
          <span className="unseen">{t(', line {n} of the ledger', { n: id })}</span>
        </Link>
      ) : (
        title
      )}
      {recipient && <span className="soft"> {phoneText(recipient)}</span>}
      {note && <span className="soft"> {note}</span>}
    </>
  )
}

/** Messages that were accepted in the same moment have one line. */
function Several({ entry, ids }: { entry: LedgerEntry; ids: string[] }) {
  return (
    <details>
      <summary>{t('{n} messages', { n: entry.subjects ?? ids.length })}</summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <Link to={`/messages/${id}`}>{id}</Link>
          </li>
        ))}
        {(entry.subjects ?? 0) > ids.length && (
          <li className="soft">{t('and {n} more', { n: (entry.subjects ?? 0) - ids.length })}</li>
        )}
      </ul>
    </details>
  )
}
