import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { usePages } from '../../read.ts'
import { number, plural, t } from '../../text/text.ts'
import { actorName } from '../../ui/actor-name.ts'
import { BlockDialog, BlockedNumbers, useNumberSearch } from '../../ui/BlockedNumbers.tsx'
import { DateField } from '../../ui/date/DateField.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Time } from '../../ui/Time.tsx'

const PATH = '/console/api/blocklist'
const STALE = [PATH, '/console/api/audit'] as const

/** Numbers and prefixes that nothing is sent to, in the whole installation. */
export default function Blocklist() {
  const pages = usePages(PATH, 'entries', { limit: 50, search: useNumberSearch() })
  return (
    <BlockedNumbers
      title={t('Block list')}
      lead={t(
        'Numbers and prefixes that receive nothing from any organisation: no SMS, WhatsApp, one-time password or airtime.',
      )}
      pages={pages}
      rowKey={({ entry }) => entry}
      columns={[
        { title: t('Number or prefix'), narrow: true, cell: ({ entry }) => <span className="mono">{entry}</span> },
        { title: t('Reason'), cell: ({ reason }) => reason },
        { title: t('Hits'), number: true, narrow: true, cell: ({ hits }) => number(hits) },
        {
          title: t('Last hit'),
          narrow: true,
          minor: true,
          cell: ({ last_hit_datetime }) => (last_hit_datetime === undefined ? '–' : <Time at={last_hit_datetime} />),
        },
        {
          title: t('Expires'),
          narrow: true,
          cell: ({ expires_datetime }) => (expires_datetime === undefined ? '–' : <Time at={expires_datetime} />),
        },
        { title: t('By||who did it'), narrow: true, minor: true, cell: ({ actor }) => actorName(actor) },
      ]}
      none={
        <Empty title={t('Nothing is blocked.')}>
          {t('Block a number that abuses the service, or a prefix that fraud comes from.')}
        </Empty>
      }
      Block={Block}
      unblock={{
        nameOf: ({ entry }) => entry,
        write: ({ entry }) => call('DELETE', `${PATH}/${encodeURIComponent(entry)}`),
        stale: STALE,
        effect: t('All organisations can send to it again.'),
      }}
    />
  )
}

function Block({ onClose }: { onClose: () => void }) {
  const draft = useDraft('blocklist', { text: '', reason: '', until: '' })
  const [{ text, reason, until }, change] = draft
  return (
    <BlockDialog
      name="entries"
      label={t('Numbers and prefixes')}
      hint={t('Separated by commas or line breaks. 234803* blocks all numbers that begin with 234803.')}
      text={text}
      onText={(next) => change({ text: next })}
      draft={draft}
      write={(entries) => call('POST', PATH, { entries, reason, ...(until === '' ? {} : { until }) })}
      stale={STALE}
      done={({ entries }) => plural(entries, '{n} entry is blocked.', '{n} entries are blocked.')}
      blocked={reason.trim() === '' ? t('Enter a reason first.') : undefined}
      onClose={onClose}
    >
      <TextField
        name="reason"
        label={t('Reason')}
        hint={t('Shown here and recorded in the audit log.')}
        value={reason}
        onChange={(next) => change({ reason: next })}
      />
      <DateField
        name="until"
        label={t('Expires')}
        optional
        kind="moment"
        value={until}
        onChange={(next) => change({ until: next })}
      />
    </BlockDialog>
  )
}
