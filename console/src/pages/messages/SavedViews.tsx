import { useState } from 'react'
import type { SavedView } from '../../api-types.ts'
import { call, withQuery } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button, ReadOnly } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'

const VIEWS = '/console/api/me/views'
const FILTERS = ['q', 'status', 'range', 'from', 'until'] as const

/** Named filters of the user. To share filters, send the address instead. */
export function SavedViews({ query }: { query: Record<string, string> }) {
  const [saving, setSaving] = useState(false)
  const say = useSay()
  const found = useRead(VIEWS)
  const remove = useWrite((id: string) => call('DELETE', `${VIEWS}/${id}`), [VIEWS])
  const views = found.data?.views ?? []
  const shown = keyOf(query)
  const chosen = views.find((view) => keyOf(view.query) === shown)
  if (views.length === 0 && shown === '') return null
  return (
    <nav className="views" aria-label={t('Saved views')}>
      {views.length > 0 && (
        <Link to="/messages" aria-current={shown === '' ? 'true' : undefined}>
          {t('All||messages')}
        </Link>
      )}
      {views.map((view) => (
        <Link key={view.id} to={withQuery('/messages', view.query)} aria-current={view === chosen ? 'true' : undefined}>
          {view.name}
        </Link>
      ))}
      {shown !== '' && !chosen && (
        <Button look="bare" icon="plus" onClick={() => setSaving(true)}>
          {t('Save this view')}
        </Button>
      )}
      {chosen && (
        <Button
          look="bare"
          icon="trash"
          busy={remove.isPending}
          onClick={() =>
            remove.mutate(chosen.id, {
              onSuccess: () => say(t('The view “{name}” is deleted.', { name: chosen.name })),
              onError: (fault) => say(fault.message, 'bad'),
            })
          }
        >
          {t('Delete this view')}
        </Button>
      )}
      {saving && (
        // Views are the user's own, whatever the role.
        <ReadOnly value={false}>
          <SaveView query={query} onClose={() => setSaving(false)} />
        </ReadOnly>
      )}
    </nav>
  )
}

function SaveView({ query, onClose }: { query: Record<string, string>; onClose: () => void }) {
  const say = useSay()
  const [name, setName] = useState('')
  const save = useWrite(() => call('POST', VIEWS, { name, query: filtersOf(query) }), [VIEWS])
  return (
    <FormDialog
      title={t('Save this view')}
      action={t('Save')}
      write={save}
      onDone={(view) => say(t('The view “{name}” is saved.', { name: view.name }))}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('Name')}
        maxLength={60}
        hint={t('Only you see it. To share the filters, send the address of this page.')}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

function filtersOf(query: Record<string, string>): SavedView['query'] {
  return Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
}

/** The same filters are the same view, in whatever order they stand. */
function keyOf(query: SavedView['query']): string {
  return FILTERS.flatMap((name) => (query[name] ? [`${name}=${query[name]}`] : [])).join('&')
}
