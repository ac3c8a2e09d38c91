import { CallbackStory } from '../../callbacks/CallbackStory.tsx'
import { usePages, useRead } from '../../read.ts'
import { changeQuery, go, Link, useRoute } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

const PATH = '/callbacks'
const EVERY_MS = 5_000
const STATUSES = ['pending', 'delivered', 'stopped', 'failed']

/** Every post: to webhooks, and to the callbacks of requests. */
export function Callbacks({ open }: { open: string | undefined }) {
  const { query } = useRoute()
  const callbacks = usePages(PATH, 'callbacks', { status: query.status, limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Section
      title="Posts"
      lead="To webhooks, and to the callbacks of requests."
      flush
      actions={
        <select
          aria-label="Status"
          value={query.status ?? ''}
          onChange={(event) => changeQuery({ status: event.target.value })}
        >
          <option value="">Any status</option>
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      }
    >
      <PagedTable
        label="Posts"
        pages={callbacks}
        rowKey={({ id }) => id}
        onRow={({ id }) => go(`/webhooks/${id}`)}
        columns={[
          {
            title: 'When',
            narrow: true,
            cell: ({ id, created_datetime }) => (
              <Link to={`/webhooks/${id}`}>
                <Time at={created_datetime} />
              </Link>
            ),
          },
          { title: 'What', narrow: true, cell: ({ type }) => type },
          { title: 'To', clip: true, cell: ({ url }) => url },
          { title: 'Tries', number: true, narrow: true, cell: ({ attempts }) => attempts },
          { title: 'Status', narrow: true, cell: ({ status }) => <Badge status={status} /> },
        ]}
        empty={
          query.status ? (
            <Empty title="No post is in this state.">Choose another.</Empty>
          ) : (
            <Empty title="Nothing was posted yet.">
              Send a message with a callback, or register a webhook and press Test.
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
    <Dialog title={found.data?.type ?? 'Post'} drawer wide onClose={onClose}>
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && (
        <>
          <CallbackStory callback={found.data} />
          {found.data.type.startsWith('text.') && (
            <p>
              <Link to={`/messages/${found.data.subject_id}`}>The message it is about</Link>
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
