import { useState } from 'react'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { finished, SMARTLISTS, type Filter, type Smartlist } from './contacts.ts'

type Props = { filters: readonly Filter[]; chosen: string; onChoose: (id: string) => void }

/** The kept filters: look at one, keep the present ones, let one go. */
export function SmartlistBar({ filters, chosen, onChoose }: Props) {
  const found = useRead(`${SMARTLISTS}?limit=200`)
  const [open, setOpen] = useState<'save' | 'remove'>()
  const smartlists = found.data?.smartlists ?? []
  const list = smartlists.find(({ id }) => id === chosen)
  return (
    <div className="row">
      <select
        aria-label="Smartlist"
        className="contacts-list"
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">All contacts</option>
        {smartlists.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {list && (
        <>
          <Link className="button" to={campaignTo(list.id, filters)}>
            Send to it
          </Link>
          <Button look="bare" onClick={() => setOpen('remove')}>
            Delete the list
          </Button>
        </>
      )}
      {finished(filters).length > 0 && (
        <Button onClick={() => setOpen('save')}>{list ? 'Keep both as a smartlist' : 'Keep as a smartlist'}</Button>
      )}
      {open === 'save' && (
        <SaveSmartlist filters={filters} of={list} onClose={() => setOpen(undefined)} onSaved={onChoose} />
      )}
      {open === 'remove' && list && (
        <RemoveSmartlist list={list} onClose={() => setOpen(undefined)} onGone={() => onChoose('')} />
      )}
    </div>
  )
}

/** Whoever is in sight gets it: the filters beside those of the list go along. */
function campaignTo(smartlist: string, filters: readonly Filter[]): string {
  const narrowed = finished(filters)
  const query = new URLSearchParams({ smartlist })
  if (narrowed.length > 0) query.set('filters', JSON.stringify(narrowed))
  return `/campaigns/new?${query}`
}

type SaveProps = {
  filters: readonly Filter[]
  of: Smartlist | undefined
  onClose: () => void
  onSaved: (id: string) => void
}

function SaveSmartlist({ filters, of, onClose, onSaved }: SaveProps) {
  const say = useSay()
  const [name, setName] = useState('')
  const save = useWrite(
    () =>
      call('POST', SMARTLISTS, {
        name,
        filters: [...(of?.filters ?? []), ...finished(filters)],
      }),
    [SMARTLISTS],
  )
  return (
    <FormDialog
      title="Keep as a smartlist"
      action="Keep"
      write={save}
      onDone={({ id, count }) => {
        say(`Kept: ${count.toLocaleString('en')} contacts at this moment.`)
        onSaved(id)
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        hint="It always holds whoever the filters hold for."
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

function RemoveSmartlist({ list, onClose, onGone }: { list: Smartlist; onClose: () => void; onGone: () => void }) {
  const say = useSay()
  const remove = useWrite(() => call('DELETE', `${SMARTLISTS}/${list.id}`), [SMARTLISTS])
  return (
    <Confirm
      title={`Delete the smartlist ${list.name}?`}
      action="Delete the list"
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            say('The smartlist is deleted.')
            onGone()
          },
          onError: (fault) => say(fault.message, 'bad'),
          onSettled: onClose,
        })
      }
    >
      <p>Only the filters are forgotten; the contacts stay.</p>
    </Confirm>
  )
}
