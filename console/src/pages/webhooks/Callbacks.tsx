import { CallbackStory } from '../../callbacks/CallbackStory.tsx'
import { usePages, useRead } from '../../read.ts'
import { changeQuery, go, Link, useRoute } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeLink } from '../../ui/TimeLink.tsx'

const PATH = '/callbacks'
const EVERY_MS = 5_000
const STATUSES = {
  pending: t('pending||status'),
  delivered: t('delivered||status'),
  stopped: t('stopped||status'),
  failed: t('failed||status'),
}

/** Every post: to webhooks, and to the callbacks of requests. */
export function Callbacks({ open }: { open: string | undefined }) {
  const { query } = useRoute()
  const callbacks = usePages(PATH, 'callbacks', { status: query.status, limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Section
      title={t('Callbacks')}
      lead={t('Every delivery to a webhook, or to the URL of a request.')}
      flush
      actions={
        <Select
          label={t('Status')}
          value={query.status ?? ''}
          onChange={(status) => changeQuery({ status })}
          choices={[
            { value: '', label: t('Any status') },
            ...Object.entries(STATUSES).map(([value, label]) => ({ value, label })),
          ]}
        />
      }
    >
      <PagedTable
        label={t('Callbacks')}
        pages={callbacks}
        rowKey={({ id }) => id}
        onRow={({ id }) => go(`/webhooks/${id}`)}
        columns={[
          {
            title: t('When'),
            narrow: true,
            cell: ({ id, type, created_datetime }) => (
              <TimeLink to={`/webhooks/${id}`} at={created_datetime} about={type} />
            ),
          },
          { title: t('What||an event'), narrow: true, cell: ({ type }) => type },
          { title: t('To||an address'), clip: true, cell: ({ url }) => url },
          { title: t('Attempts'), number: true, narrow: true, cell: ({ attempts }) => attempts },
          {
            title: t('Next attempt'),
            narrow: true,
            minor: true,
            cell: ({ next_attempt_datetime }) => <Time at={next_attempt_datetime} />,
          },
          { title: t('Status'), narrow: true, cell: ({ status }) => <Badge status={status} /> },
        ]}
        empty={
          query.status ? (
            <Empty title={t('No callbacks in this state.')}>{t('Choose another.')}</Empty>
          ) : (
            <Empty title={t('No callbacks yet.')}>
              {t('Send a message with a callback, or register a webhook and press Test.')}
            </Empty>
          )
        }
      />
      {open !== undefined && <CallbackView id={open} onClose={() => go('/webhooks')} />}
    </Section>
  )
}

function CallbackView({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useRead(`${PATH}/${encodeURIComponent(id)}`, {
    every_ms: EVERY_MS,
  })
  return (
    <Dialog title={found.data?.type ?? t('Callback||one that was sent')} drawer wide onClose={onClose}>
      <Pending read={found} />
      {found.data && (
        <>
          <CallbackStory callback={found.data} />
          {found.data.type.startsWith('text.') && (
            <p>
              <Link to={`/messages/${found.data.subject_id}`}>{t('The message it is about')}</Link>
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
