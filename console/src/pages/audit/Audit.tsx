import { useEffect, useState } from 'react'
import type { AuditEntry } from '../../api-types.ts'
import { usePages } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { actorName } from '../../ui/actor-name.ts'
import { DataList } from '../../ui/DataList.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField, Segments } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { ApiError, download, withQuery } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { momentsOf } from '../../ui/date/date-range.ts'
import { useZone } from '../../ui/date/zone.ts'
import { DateRange } from '../../ui/date/DateRange.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { actionName, NAMED_ACTIONS } from './actions.ts'
import './audit.css'

const TYPING_MS = 300
/** As the service searches. */
const SHORTEST_WORD = 3

/** The audit log. */
export default function Audit() {
  const { operator } = useSession()
  const { query } = useRoute()
  const zone = useZone()
  const installation = operator && query.of === 'installation'
  const [typed, setTyped] = useState(query.q ?? '')
  useEffect(() => {
    const waiting = setTimeout(() => changeQuery({ q: typed.trim() || undefined }), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [typed])
  const { q, range } = query
  const { from, until } = momentsOf(query, zone)
  const filter = {
    installation: installation ? 'true' : undefined,
    q: q !== undefined && q.length >= SHORTEST_WORD ? q : undefined,
    action: query.action,
    from: from?.toISOString(),
    // A period ends before the next one begins.
    until: until && new Date(until.getTime() - 1).toISOString(),
  }
  const entries = usePages('/console/api/audit', 'entries', { ...filter, limit: 50 })
  const filtered = [filter.q, query.action, range, query.from, query.until].some((one) => one !== undefined)
  return (
    <Page
      title={t('Audit')}
      lead={t(
        'Changes made by users, with the previous values. Secrets, message texts and contact details are recorded as changed but not shown. API calls are in the service log.',
      )}
      actions={
        <>
          <Export filter={filter} />
          {operator && (
            <Segments
              label={t('Scope||of the audit log')}
              value={installation ? 'installation' : 'organisation'}
              onChange={(of) => changeQuery({ of: of === 'installation' ? of : undefined })}
              choices={[
                { value: 'organisation', label: t('Organisation') },
                { value: 'installation', label: t('Installation') },
              ]}
            />
          )}
        </>
      }
    >
      <div className="filters">
        <SearchField
          label={t('User, action or reference: at least three characters')}
          placeholder={t('Search')}
          value={typed}
          onChange={setTyped}
        />
        <Select
          label={t('Action||what was done')}
          value={query.action ?? ''}
          onChange={(chosen) => changeQuery({ action: chosen || undefined })}
          choices={[
            { value: '', label: t('All actions') },
            ...NAMED_ACTIONS.map(([value, label]) => ({ value, label })),
          ]}
        />
        <DateRange query={query} />
      </div>
      <Section flush>
        <PagedTable
          label={t('Changes')}
          pages={entries}
          rowKey={({ id }) => id}
          columns={[
            { title: t('When'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: t('User||who did something'), narrow: true, cell: ({ actor }) => actorName(actor) },
            { title: t('Action||what was done'), narrow: true, cell: ({ action }) => actionName(action) },
            { title: t('Details'), cell: (entry) => <Details entry={entry} /> },
            {
              title: t('From||an IP address'),
              narrow: true,
              minor: true,
              cell: ({ address }) => <span className="soft">{address ?? '–'}</span>,
            },
          ]}
          empty={
            filtered ? (
              <Empty title={t('No entries match.')}>{t('Remove a filter, or change the search.')}</Empty>
            ) : (
              <Empty title={t('No changes yet.')}>{t('Actions of users will be recorded here.')}</Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

function Export({ filter }: { filter: Record<string, string | undefined> }) {
  const say = useSay()
  const [busy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    try {
      await download(withQuery('/console/api/audit.csv', filter), 'audit.csv')
    } catch (fault) {
      say(fault instanceof ApiError ? fault.message : t('The file could not be created.'), 'bad')
    }
    setBusy(false)
  }
  return (
    <Button icon="export" busy={busy} onClick={() => void run()}>
      {t('Export')}
    </Button>
  )
}

function Details({ entry: { before, after } }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter(
    (name) => before === undefined || words(before[name]) !== words(after?.[name]) || after?.[name] === NOT_KEPT,
  )
  if (changed.length === 0) return <span className="soft">–</span>
  return (
    <details className="audit-details">
      <summary>{changed.map((name) => name.replaceAll('_', ' ')).join(', ')}</summary>
      <DataList
        items={changed.map((name) => [
          name.replaceAll('_', ' '),
          <Change was={before && words(before[name])} is={after && words(after[name])} />,
        ])}
      />
    </details>
  )
}

/** What a field said, and what it says now. Something new was nothing before, and what is removed is nothing now. */
function Change({ was, is }: { was: string | undefined; is: string | undefined }) {
  if (was === undefined || was === is) return is
  return (
    <>
      <s className="soft">
        <span className="unseen">{t('before:')} </span>
        {was}
      </s>
      {is !== undefined && ` ${is}`}
    </>
  )
}

/** Recorded in place of values that are not shown. */
const NOT_KEPT = '…'

/** A value as text; lists and objects are flattened. */
function words(value: unknown): string {
  if (value === undefined || value === null || value === '') return t('nothing')
  if (value === NOT_KEPT) return t('changed (not stored here)')
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (Array.isArray(value)) return value.map(words).join(', ')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, part]) => `${name.replaceAll('_', ' ')} ${words(part)}`)
      .join(', ')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
