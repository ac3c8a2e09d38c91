import { useCallback, useEffect, useState } from 'react'
import { ApiError, call, download } from '../../api.ts'
import type { PageProps } from '../../page-props.ts'
import { useRead } from '../../read.ts'
import { useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button, ReadOnly } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { AddContact } from './AddContact.tsx'
import { Columns } from './Columns.tsx'
import {
  CHANGES,
  CONTACT,
  finished,
  ROWS,
  type Column,
  type ContactRow,
  type ContactTable,
  type Group,
} from './contacts.ts'
import { ContactView } from './ContactView.tsx'
import { Filters } from './Filters.tsx'
import { Grid } from './Grid.tsx'
import { ImportReport } from './ImportReport.tsx'
import { ImportWizard } from './ImportWizard.tsx'
import { PersonData } from './PersonData.tsx'
import { askedOf, useRows } from './rows.ts'
import { NOTHING, type Selection } from './selection.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { SmartlistBar } from './SmartlistBar.tsx'
import { UndoBar, type Done } from './UndoBar.tsx'
import { useView } from './view.ts'
import './contacts.css'

/** `#/contacts` is a sheet of contacts, however many; `#/contacts/<id>` is one of them. */
export default function Contacts({ rest: [id] }: PageProps) {
  const found = useRead(CONTACT)
  if (id !== undefined) return <ContactView key={id} id={id} />
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} />
  return <Sheet table={found.data} />
}

const TYPING_MS = 300

function Sheet({ table }: { table: ContactTable }) {
  const { organisation, right } = useSession()
  const shown_import = useRoute().query.import
  const [groups, setGroups] = useState<readonly Group[]>([])
  const [smartlist_id, setSmartlist] = useState('')
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState('')
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [done, setDone] = useState<Done>()
  const [open, setOpen] = useState<'add' | 'columns' | 'import' | 'person'>()
  const view = useView()
  const rows = useRows({ groups, search, sort })
  const query = askedOf({ groups, search, sort: '' })
  const may_change = right('lists') === 'change'
  const close = () => setOpen(undefined)
  useEffect(() => {
    const waiting = setTimeout(() => setSearch(typed), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [typed])
  // What was chosen was chosen among what was seen.
  const asked = JSON.stringify(query)
  useEffect(() => setSelection(NOTHING), [asked])
  const written = useCallback(
    (row_id: string, column: Column, before: string) => setDone({ row_id, column, before }),
    [],
  )
  const over = useCallback(() => setDone(undefined), [])
  const remove = useRemove(setDone)
  return (
    <Page
      title={t('Contacts')}
      lead={t(
        'Contacts of {organisation}. Click a cell to edit it; save filters as a smartlist and send messages to it.',
        {
          organisation: organisation.name,
        },
      )}
      wide
      actions={
        <>
          {right('people') !== 'none' && <Button onClick={() => setOpen('person')}>{t("A person's data")}</Button>}
          <Button onClick={() => setOpen('columns')}>{t('Columns')}</Button>
          <Button icon="import" changes onClick={() => setOpen('import')}>
            {t('Import')}
          </Button>
          <Export body={askedOf({ groups, search, sort })} />
          <Button look="main" icon="plus" onClick={() => setOpen('add')}>
            {t('Add a contact')}
          </Button>
        </>
      }
    >
      <div className="contacts-search">
        <SearchField label={t('Search all cells')} value={typed} onChange={setTyped} />
        <SmartlistBar
          groups={groups}
          chosen={smartlist_id}
          onChoose={(id, chosen) => {
            setSmartlist(id)
            setGroups(chosen)
          }}
        />
        <Filters columns={table.columns} groups={groups} onChange={setGroups} />
      </div>
      {done && <UndoBar key={JSON.stringify(done)} done={done} onOver={over} />}
      <SelectionBar
        selection={selection}
        count_total={rows.count_total}
        columns={table.columns}
        query={query}
        onSelect={setSelection}
        onBegun={(change_id) => setDone({ change_id })}
      />
      <Section flush>
        {rows.error && rows.count === 0 ? (
          <Trouble error={rows.error} />
        ) : rows.loading ? (
          <Loading />
        ) : rows.count === 0 ? (
          <NoRows
            filtered={finished(groups).length > 0 || search.trim() !== ''}
            onAdd={() => setOpen('add')}
            onImport={() => setOpen('import')}
          />
        ) : (
          <Grid
            columns={table.columns}
            rows={rows}
            sort={sort}
            onSort={setSort}
            view={view}
            may_change={may_change}
            selection={selection}
            onSelect={setSelection}
            onWritten={written}
            onRemove={remove}
          />
        )}
      </Section>
      {open === 'add' && <AddContact table={table} onClose={close} />}
      {open === 'columns' && <Columns table={table} view={view} onClose={close} />}
      {open === 'person' && (
        // It has a right of its own.
        <ReadOnly value={false}>
          <PersonData onClose={close} />
        </ReadOnly>
      )}
      {open === 'import' && <ImportWizard table={table} onClose={close} />}
      {shown_import !== undefined && <ImportReport key={shown_import} id={shown_import} />}
    </Page>
  )
}

/** Deletes one contact without confirmation, because it can be undone. */
function useRemove(onDone: (done: Done) => void): (row: ContactRow) => void {
  const say = useSay()
  return useCallback(
    (row) => {
      call('POST', CHANGES, { action: 'delete', row_ids: [row.id] })
        .then(({ id }) => onDone({ change_id: id }))
        .catch((fault: unknown) =>
          say(fault instanceof ApiError ? fault.message : t('It could not be deleted.'), 'bad'),
        )
    },
    [onDone, say],
  )
}

function NoRows({ filtered, onAdd, onImport }: { filtered: boolean; onAdd: () => void; onImport: () => void }) {
  if (filtered) {
    return <Empty title={t('No contacts match.')}>{t('Remove a filter, or change the search.')}</Empty>
  }
  return (
    <Empty title={t('There are no contacts yet.')}>
      <p>{t('Add the first one, or import a CSV file; it is checked before anything is saved.')}</p>
      <div className="row">
        <Button changes onClick={onAdd}>
          {t('Add a contact')}
        </Button>
        <Button changes onClick={onImport}>
          {t('Import a file')}
        </Button>
      </div>
    </Empty>
  )
}

function Export({ body }: { body: object }) {
  const [busy, setBusy] = useState(false)
  const say = useSay()
  async function run() {
    setBusy(true)
    try {
      await download(`${ROWS}/export`, 'contacts.csv', 'POST', body)
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
