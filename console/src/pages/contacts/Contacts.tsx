import { useState } from 'react'
import { ApiError, download } from '../../api.ts'
import { useRead } from '../../read.ts'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { AddContact } from './AddContact.tsx'
import { Columns } from './Columns.tsx'
import { CONTACT, finished, ROWS, type ContactTable, type Filter } from './contacts.ts'
import { Filters } from './Filters.tsx'
import { Grid } from './Grid.tsx'
import { ImportWizard } from './ImportWizard.tsx'
import { PersonData } from './PersonData.tsx'
import { useRows } from './rows.ts'
import { SmartlistBar } from './SmartlistBar.tsx'
import './contacts.css'

/** A sheet of contacts, however many: filtered, sorted, edited in place. */
export default function Contacts() {
  const found = useRead(CONTACT)
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} />
  return <Sheet table={found.data} />
}

function Sheet({ table }: { table: ContactTable }) {
  const { organisation, right } = useSession()
  const [filters, setFilters] = useState<readonly Filter[]>([])
  const [smartlist_id, setSmartlist] = useState('')
  const [sort, setSort] = useState('')
  const [open, setOpen] = useState<'add' | 'columns' | 'import' | 'person'>()
  const rows = useRows({ filters, smartlist_id, sort })
  const close = () => setOpen(undefined)
  const filtered = finished(filters).length > 0 || smartlist_id !== ''
  return (
    <Page
      title="Contacts"
      lead={`People of ${organisation.name}. Click a cell to change it; keep filters as a smartlist and send to it.`}
      wide
      actions={
        <>
          {right('keys') === 'change' && <Button onClick={() => setOpen('person')}>A person's data</Button>}
          <Button onClick={() => setOpen('columns')}>Columns</Button>
          <Button icon="import" onClick={() => setOpen('import')}>
            Import
          </Button>
          <Export filters={filters} smartlist_id={smartlist_id} sort={sort} />
          <Button look="main" icon="plus" onClick={() => setOpen('add')}>
            Add a contact
          </Button>
        </>
      }
    >
      <div className="contacts-search">
        <SmartlistBar
          filters={filters}
          chosen={smartlist_id}
          onChoose={(id) => {
            setSmartlist(id)
            setFilters([])
          }}
        />
        <Filters columns={table.columns} filters={filters} onChange={setFilters} />
      </div>
      <Section flush>
        {rows.error && rows.rows.length === 0 ? (
          <Trouble error={rows.error} />
        ) : rows.loading ? (
          <Loading />
        ) : rows.rows.length === 0 ? (
          filtered ? (
            <Empty title="Nobody matches.">Take a filter away, or write it differently.</Empty>
          ) : (
            <Empty title="There are no contacts yet.">
              <p>Type the first, or import a CSV file; it is checked before anything is written.</p>
              <div className="row">
                <Button onClick={() => setOpen('add')}>Add a contact</Button>
                <Button onClick={() => setOpen('import')}>Import a file</Button>
              </div>
            </Empty>
          )
        ) : (
          <Grid table={table} rows={rows} sort={sort} onSort={setSort} />
        )}
      </Section>
      {open === 'add' && <AddContact table={table} onClose={close} />}
      {open === 'columns' && <Columns table={table} onClose={close} />}
      {open === 'person' && <PersonData onClose={close} />}
      {open === 'import' && <ImportWizard table={table} onClose={close} />}
    </Page>
  )
}

function Export({ filters, smartlist_id, sort }: { filters: readonly Filter[]; smartlist_id: string; sort: string }) {
  const [busy, setBusy] = useState(false)
  const say = useSay()
  async function run() {
    setBusy(true)
    const body = { filters: finished(filters), ...(smartlist_id ? { smartlist_id } : {}), ...(sort ? { sort } : {}) }
    try {
      await download(`${ROWS}/export`, 'contacts.csv', 'POST', body)
    } catch (fault) {
      say(fault instanceof ApiError ? fault.message : 'The file could not be made.', 'bad')
    }
    setBusy(false)
  }
  return (
    <Button icon="export" busy={busy} onClick={() => void run()}>
      Export
    </Button>
  )
}
