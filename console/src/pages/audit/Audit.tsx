import type { AuditEntry } from '../../api-types.ts'
import { usePages } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { DataList } from '../../ui/DataList.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { actionName } from './actions.ts'
import './audit.css'

/** The audit log. */
export default function Audit() {
  const { operator } = useSession()
  const { query } = useRoute()
  const installation = operator && query.of === 'installation'
  const entries = usePages('/console/api/audit', 'entries', {
    installation: installation ? 'true' : undefined,
    limit: 50,
  })
  return (
    <Page
      title={t('Audit')}
      lead={t(
        'Changes made by users, with the previous values. Secrets, message texts and contact details are recorded as changed but not shown. API calls are in the service log.',
      )}
      actions={
        operator && (
          <Segments
            label={t('Whose')}
            value={installation ? 'installation' : 'organisation'}
            onChange={(of) => changeQuery({ of: of === 'installation' ? of : undefined })}
            choices={[
              { value: 'organisation', label: t('Organisation') },
              { value: 'installation', label: t('Installation') },
            ]}
          />
        )
      }
    >
      <Section flush>
        <PagedTable
          label={t('Changes')}
          pages={entries}
          rowKey={({ id }) => id}
          columns={[
            { title: t('When'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: t('Who||did it'), narrow: true, cell: ({ actor }) => actor },
            { title: t('What||was done'), narrow: true, cell: ({ action }) => actionName(action) },
            { title: t('Details'), cell: (entry) => <Details entry={entry} /> },
            {
              title: t('From||an IP address'),
              narrow: true,
              minor: true,
              cell: ({ address }) => <span className="soft">{address ?? '–'}</span>,
            },
          ]}
          empty={<Empty title={t('No changes yet.')}>{t('Actions of users will be recorded here.')}</Empty>}
        />
      </Section>
    </Page>
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
