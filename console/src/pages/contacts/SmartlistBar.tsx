import { useState } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { number, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { finished, groupsOf, SMARTLISTS, type Group, type Smartlist } from './contacts.ts'

type Props = {
  groups: readonly Group[]
  chosen: string
  /** With the filters that are then looked through. */
  onChoose: (id: string, groups: readonly Group[]) => void
}

/** The kept filters: open one, change it and save it, or save it as another; let one go. */
export function SmartlistBar({ groups, chosen, onChoose }: Props) {
  const { right } = useSession()
  const found = useRead(`${SMARTLISTS}?limit=200`)
  const [open, setOpen] = useState<'save' | 'rename' | 'remove'>()
  const smartlists = found.data?.smartlists ?? []
  const list = smartlists.find(({ id }) => id === chosen)
  const now = finished(groups)
  const kept = list ? finished(groupsOf(list.filters)) : []
  const changed = JSON.stringify(now) !== JSON.stringify(kept)
  // Filters added to those of the smartlist are sent along; if its own filters were changed, it cannot be sent to.
  const beside = JSON.stringify(now.slice(0, kept.length)) === JSON.stringify(kept) ? now.slice(kept.length) : undefined
  const close = () => setOpen(undefined)
  return (
    <div className="row">
      <Select
        label={t('Smartlist')}
        className="contacts-list"
        value={chosen}
        onChange={(value) => onChoose(value, groupsOf(smartlists.find(({ id }) => id === value)?.filters ?? []))}
        choices={[
          { value: '', label: t('All contacts') },
          ...smartlists.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {list && changed && <SaveChanges list={list} groups={groups} />}
      {list && changed && (
        <Button onClick={() => onChoose(list.id, groupsOf(list.filters))}>{t('Reset filters')}</Button>
      )}
      {list && beside && right('sms') === 'change' && (
        <Link className="button" to={campaignTo(list.id, beside)}>
          {t('Send to it')}
        </Link>
      )}
      {changed && (
        <Button changes onClick={() => setOpen('save')}>
          {list ? t('Save as another') : t('Save as a smartlist')}
        </Button>
      )}
      {list && !changed && (
        <>
          <Button look="bare" changes onClick={() => setOpen('rename')}>
            {t('Rename')}
          </Button>
          <Button look="bare" changes onClick={() => setOpen('remove')}>
            {t('Delete the list')}
          </Button>
        </>
      )}
      {open === 'save' && <SaveSmartlist groups={groups} onClose={close} onSaved={(id) => onChoose(id, groups)} />}
      {open === 'rename' && list && <RenameSmartlist list={list} onClose={close} />}
      {open === 'remove' && list && <RemoveSmartlist list={list} onClose={close} onGone={() => onChoose('', [])} />}
    </div>
  )
}

/** Sends to the visible contacts: the smartlist plus the additional filters. */
function campaignTo(smartlist: string, beside: readonly object[]): string {
  const query = new URLSearchParams({ smartlist })
  if (beside.length > 0) query.set('filters', JSON.stringify(beside))
  return `/campaigns/new?${query}`
}

function SaveChanges({ list, groups }: { list: Smartlist; groups: readonly Group[] }) {
  const say = useSay()
  const save = useWrite(() => call('PATCH', `${SMARTLISTS}/${list.id}`, { filters: finished(groups) }), [SMARTLISTS])
  return (
    <Button
      look="main"
      busy={save.isPending}
      onClick={() =>
        save.mutate(undefined, {
          onSuccess: ({ name, count }) =>
            say(t('{name} is saved: {n} contacts at this moment.', { name, n: number(count) })),
          onError: (fault) => say(fault.faults[0]?.message ?? fault.message, 'bad'),
        })
      }
    >
      {t('Save {name}', { name: list.name })}
    </Button>
  )
}

type SaveProps = { groups: readonly Group[]; onClose: () => void; onSaved: (id: string) => void }

function SaveSmartlist({ groups, onClose, onSaved }: SaveProps) {
  const say = useSay()
  const [name, setName] = useState('')
  const save = useWrite(() => call('POST', SMARTLISTS, { name, filters: finished(groups) }), [SMARTLISTS])
  return (
    <FormDialog
      title={t('Save as a smartlist')}
      action={t('Save')}
      write={save}
      onDone={({ id, count }) => {
        say(t('Saved: {n} contacts match.', { n: number(count) }))
        onSaved(id)
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('Name')}
        hint={t('It always contains all contacts that match the filters.')}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

function RenameSmartlist({ list, onClose }: { list: Smartlist; onClose: () => void }) {
  const say = useSay()
  const [name, setName] = useState(list.name)
  const save = useWrite(() => call('PATCH', `${SMARTLISTS}/${list.id}`, { name }), [SMARTLISTS])
  return (
    <FormDialog
      title={t('Rename {name}', { name: list.name })}
      action={t('Rename')}
      write={save}
      onDone={() => say(t('The smartlist is renamed.'))}
      onClose={onClose}
    >
      <TextField name="name" label={t('Name')} value={name} onChange={setName} />
    </FormDialog>
  )
}

function RemoveSmartlist({ list, onClose, onGone }: { list: Smartlist; onClose: () => void; onGone: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Delete the smartlist {name}?', { name: list.name })}
      action={t('Delete the list')}
      keep={t('Keep the list')}
      write={() => call('DELETE', `${SMARTLISTS}/${list.id}`)}
      stale={[SMARTLISTS]}
      onDone={() => {
        say(t('The smartlist is deleted.'))
        onGone()
      }}
      onClose={onClose}
    >
      <p>{t('Only the smartlist is deleted; the contacts stay.')}</p>
    </Confirm>
  )
}
