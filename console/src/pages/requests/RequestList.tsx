import { useEffect, useState } from 'react'
import type { LoggedRequest } from '../../../../clients/typescript/src/types.ts'
import { usePages, useRead } from '../../read.ts'
import { changeQuery, go, Link, useRoute } from '../../router.tsx'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { DateFilter } from '../../ui/date/DateField.tsx'
import { SearchField, FilterForm } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { useZone } from '../../ui/date/zone.ts'
import { duration, shortTime, Time } from '../../ui/Time.tsx'
import { HttpStatus } from './HttpStatus.tsx'

const EVERY_MS = 5_000
const TYPING_MS = 300

/** What was called with a key in the last days. */
export function RequestList() {
  const { query } = useRoute()
  const pages = usePages('/requests', 'requests', { ...readFilter(query), limit: 50 }, { every_ms: EVERY_MS })
  const days = pages.first?.kept_days
  const thinned = pages.rows.find(({ seen }) => seen !== undefined)
  return (
    <Page
      title={t('Requests')}
      wide
      lead={
        days === 0
          ? t('This installation does not log API calls.')
          : days === undefined
            ? t('API calls with your keys, with the responses. Secrets are masked.')
            : plural(
                days,
                'API calls with your keys in the last day, with the responses. Secrets are masked.',
                'API calls with your keys in the last {n} days, with the responses. Secrets are masked.',
              )
      }
    >
      <Filters query={query} />
      {thinned && (
        <p className="soft small" role="status">
          {t('Under high load, failures and a sample of the other calls are kept.')}
        </p>
      )}
      <Section flush>
        <PagedTable
          label={t('Requests')}
          pages={pages}
          rowKey={({ request_id, created_datetime, status }) => `${request_id} ${created_datetime} ${status}`}
          onRow={({ request_id }) => go(`/requests/${encodeURIComponent(request_id)}`)}
          columns={[
            { title: t('When'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: t('Status'), narrow: true, cell: ({ status }) => <HttpStatus status={status} /> },
            { title: t('Call||of the API'), clip: true, cell: (request) => <Call request={request} /> },
            { title: t('Duration'), number: true, narrow: true, cell: ({ duration_ms }) => duration(duration_ms) },
            { title: t('Key'), narrow: true, minor: true, cell: ({ key, key_name }) => key_name ?? key ?? '–' },
            {
              title: t('Stored||of calls'),
              narrow: true,
              minor: true,
              cell: ({ shown, seen }) =>
                seen === undefined || shown === undefined ? (
                  <span className="soft">{t('all||calls')}</span>
                ) : (
                  t('1 of {n}', { n: number(Math.max(1, Math.round(seen / shown))) })
                ),
            },
          ]}
          empty={
            Object.keys(query).length > 0 ? (
              <Empty title={t('Nothing matches.')}>
                <Button onClick={() => go('/requests')}>{t('Show all requests')}</Button>
              </Empty>
            ) : (
              <Empty title={t('No calls yet.')}>{t('API calls appear here within seconds.')}</Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

function Call({ request: { request_id, method, path, created_datetime } }: { request: LoggedRequest }) {
  const zone = useZone()
  return (
    <Link to={`/requests/${encodeURIComponent(request_id)}`}>
      {method} {path}
      <span className="unseen">, {shortTime(new Date(created_datetime), zone)}</span>
    </Link>
  )
}

/** The filters live in the address, so that they can be sent to a colleague. */
function Filters({ query }: { query: Record<string, string> }) {
  const keys = useRead('/console/api/keys')
  const [text, setText] = useState(query.q ?? '')
  useEffect(() => setText(query.q ?? ''), [query.q])
  useEffect(() => {
    if (text === (query.q ?? '')) return
    const waiting = setTimeout(() => changeQuery({ q: text }), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [text, query.q])
  return (
    <FilterForm>
      <SearchField label={t('Search by path or request id')} value={text} onChange={setText} />
      <Select
        label={t('Status')}
        value={query.status ?? ''}
        onChange={(status) => changeQuery({ status })}
        choices={STATUSES}
      />
      <Select
        label={t('Key')}
        value={query.key ?? ''}
        onChange={(key) => changeQuery({ key })}
        choices={[
          { value: '', label: t('Any key') },
          ...(keys.data?.keys ?? []).map(({ id, name, hint }) => ({ value: id, label: name ?? hint })),
        ]}
      />
      {TIMES.map(([name, label]) => (
        <DateFilter
          key={name}
          kind="moment"
          label={label}
          value={query[name] ?? ''}
          onChange={(moment) => changeQuery({ [name]: moment })}
        />
      ))}
      {Object.keys(query).length > 0 && (
        <Button look="bare" onClick={() => go('/requests')}>
          {t('Clear')}
        </Button>
      )}
    </FilterForm>
  )
}

const STATUSES = [
  { value: '', label: t('Any status') },
  { value: '2xx', label: t('Done (2xx)') },
  { value: 'failed', label: t('Failed (400 and above)') },
  { value: '4xx', label: t('Refused (4xx)') },
  { value: '5xx', label: t('Server error (5xx)') },
]

const TIMES = [
  ['from', t('from||a moment')],
  ['until', t('until||a moment')],
] as const

/** Input that starts with a slash is a path; anything else is a request id. */
function readFilter({ q = '', status, key, from, until }: Record<string, string>) {
  const text = q.trim()
  return {
    path: text.startsWith('/') ? text : undefined,
    request_id: text !== '' && !text.startsWith('/') ? text : undefined,
    status,
    key_id: key,
    from,
    until,
  }
}
