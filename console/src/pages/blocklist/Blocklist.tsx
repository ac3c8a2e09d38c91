import { useState } from 'react'
import type { BlockedEntry } from '../../api-types.ts'
import { call } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { DateField } from '../../ui/date/DateField.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AreaField, SearchField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/console/api/blocklist'

/** Numbers and prefixes that nothing is sent to, in the whole installation. */
export default function Blocklist() {
  const { query } = useRoute()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<BlockedEntry>()
  const search = (query.q ?? '').replace(/\D/g, '')
  const found = usePages(PATH, 'entries', { limit: 50, ...(search === '' ? {} : { search }) })
  return (
    <Page
      title={t('Block list')}
      lead={t(
        'Numbers and prefixes that receive nothing from any organisation: no SMS, WhatsApp, one-time password or airtime.',
      )}
      actions={
        <Button look="main" icon="plus" onClick={() => setAdding(true)}>
          {t('Block numbers')}
        </Button>
      }
    >
      <Section
        flush
        title={t('Blocked||numbers')}
        actions={
          <SearchField label={t('Search by number')} value={query.q ?? ''} onChange={(q) => changeQuery({ q })} />
        }
      >
        <PagedTable
          label={t('Block list')}
          pages={found}
          rowKey={({ entry }) => entry}
          columns={[
            { title: t('Number or prefix'), narrow: true, cell: ({ entry }) => <span className="mono">{entry}</span> },
            { title: t('Reason'), cell: ({ reason }) => reason },
            { title: t('Hits'), number: true, narrow: true, cell: ({ hits }) => number(hits) },
            {
              title: t('Last hit'),
              narrow: true,
              minor: true,
              cell: ({ last_hit_datetime }) =>
                last_hit_datetime === undefined ? '–' : <Time at={last_hit_datetime} />,
            },
            {
              title: t('Expires'),
              narrow: true,
              cell: ({ expires_datetime }) => (expires_datetime === undefined ? '–' : <Time at={expires_datetime} />),
            },
            { title: t('By||who did it'), narrow: true, minor: true, cell: ({ actor }) => actor },
            {
              title: t('Actions'),
              unseen: true,
              narrow: true,
              cell: (entry) => (
                <Button look="bare" onClick={() => setRemoving(entry)}>
                  {t('Unblock')}
                </Button>
              ),
            },
          ]}
          empty={
            search === '' ? (
              <Empty title={t('Nothing is blocked.')}>
                {t('Block a number that abuses the service, or a prefix that fraud comes from.')}
              </Empty>
            ) : (
              <Empty title={t('Nothing that begins so is blocked.')}>
                {t('Enter the first digits, with the country code.')}
              </Empty>
            )
          }
        />
      </Section>
      {adding && <Block onClose={() => setAdding(false)} />}
      {removing && <Unblock entry={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}

function Block({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const entries = text
    .split(/[\n,;]+/)
    .map((one) => one.trim())
    .filter(Boolean)
  const write = useWrite(
    () => call('POST', PATH, { entries, reason, ...(until === '' ? {} : { until }) }),
    [PATH, '/console/api/audit'],
  )
  return (
    <FormDialog
      title={t('Block numbers')}
      action={t('Block')}
      write={write}
      onDone={(answer) => say(plural(answer.entries, '{n} entry is blocked.', '{n} entries are blocked.'))}
      onClose={onClose}
      blocked={
        entries.length === 0
          ? t('Enter a number first.')
          : reason.trim() === ''
            ? t('Enter a reason first.')
            : undefined
      }
    >
      <AreaField
        name="entries"
        label={t('Numbers and prefixes')}
        hint={t('Separated by commas or on lines of their own. 234803* blocks all numbers that begin so.')}
        entries={entries}
        value={text}
        onChange={setText}
      />
      <TextField
        name="reason"
        label={t('Reason')}
        hint={t('Shown here and recorded in the audit log.')}
        value={reason}
        onChange={setReason}
      />
      <DateField name="until" label={t('Expires')} optional kind="moment" value={until} onChange={setUntil} />
    </FormDialog>
  )
}

function Unblock({ entry: { entry }, onClose }: { entry: BlockedEntry; onClose: () => void }) {
  const say = useSay()
  const write = useWrite(() => call('DELETE', `${PATH}/${encodeURIComponent(entry)}`), [PATH, '/console/api/audit'])
  return (
    <Confirm
      title={t('Unblock {entry}?', { entry })}
      action={t('Unblock')}
      keep={t('Keep it blocked')}
      busy={write.isPending}
      onConfirm={() =>
        write.mutate(undefined, {
          onSuccess: () => {
            onClose()
            say(t('{entry} is not blocked any more.', { entry }))
          },
        })
      }
      onClose={onClose}
    >
      <p>{t('All organisations can send to it again.')}</p>
    </Confirm>
  )
}
