import { useState } from 'react'
import type { ImportWithFaults } from '../../../../src/contacts/import/schema.ts'
import { ApiError, call, download, withQuery } from '../../api.ts'
import { useRead, useRefresh, useWrite } from '../../read.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { CheckField, SelectField } from '../../ui/fields.tsx'
import { Field, Form, FormActions } from '../../ui/Form.tsx'
import { Table } from '../../ui/Table.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CONTACT, type ContactTable } from './contacts.ts'

const PATH = `${CONTACT}/imports`

/** Choose a file, see what would come of it, then do it. */
export function ImportWizard({ table, onClose }: { table: ContactTable; onClose: () => void }) {
  const refresh = useRefresh()
  const [file, setFile] = useState<File>()
  const [upsert_by, setUpsert] = useState('')
  const [new_columns, setNewColumns] = useState(true)
  const [id, setId] = useState<string>()
  const start = useWrite(
    (dry_run: boolean) =>
      call(
        'POST',
        withQuery(PATH, { dry_run: String(dry_run), upsert_by, new_columns: String(new_columns) }),
        file ?? new Blob(['']),
        { content_type: 'text/csv' },
      ),
    [PATH],
  )
  const begin = (dry_run: boolean) => start.mutate(dry_run, { onSuccess: (begun) => setId(begun.id) })
  function leave() {
    refresh(CONTACT, '/console/api/checklist')
    onClose()
  }
  return (
    <Dialog title="Import contacts" wide onClose={leave}>
      {id === undefined ? (
        <Form error={start.error} onSubmit={() => begin(true)} label="Choose a file">
          <Field
            name="csv"
            label="File"
            hint="CSV with a line of headers: comma, semicolon, tab or bar; UTF-8 or Windows-1252."
          >
            {(control) => (
              <input
                {...control}
                type="file"
                accept=".csv,.tsv,.txt,text/csv"
                onChange={(event) => setFile(event.target.files?.[0])}
              />
            )}
          </Field>
          <SelectField
            name="upsert_by"
            label="A line with the same value changes the contact"
            value={upsert_by}
            onChange={setUpsert}
            choices={[
              { value: '', label: 'never: every line is a new contact' },
              ...table.columns.map((column) => ({ value: column.id, label: `in ${column.name}` })),
            ]}
          />
          <CheckField
            name="new_columns"
            label="Headers that fit no column make a new one"
            checked={new_columns}
            onChange={setNewColumns}
          />
          <FormActions>
            <Button look="main" type="submit" busy={start.isPending} disabled={!file}>
              Check the file
            </Button>
            <CloseButton />
          </FormActions>
        </Form>
      ) : (
        <Progress
          id={id}
          busy={start.isPending}
          onImport={() => begin(false)}
          onAgain={() => setId(undefined)}
          onDone={leave}
        />
      )}
    </Dialog>
  )
}

type ProgressProps = { id: string; busy: boolean; onImport: () => void; onAgain: () => void; onDone: () => void }

const OVER = ['done', 'failed', 'canceled']

function Progress({ id, busy, onImport, onAgain, onDone }: ProgressProps) {
  const found = useRead(`${PATH}/${id}`, { every_ms: 700 })
  const say = useSay()
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} />
  const run = found.data
  const over = OVER.includes(run.status)
  return (
    <div className="stack">
      <p className="row" role="status">
        <Badge status={run.status} />
        <b>{sentence(run, over)}</b>
      </p>
      <progress value={run.progress} max={1} aria-label="How far it is" />
      {run.fault && <p className="faults">{run.fault}</p>}
      <Table
        label="Where the fields go"
        rows={run.columns}
        rowKey={({ header }) => header}
        columns={[
          { title: 'Header', cell: ({ header }) => header },
          {
            title: 'Column',
            cell: ({ name, is_new }) =>
              name === undefined ? <span className="soft">left out</span> : `${name}${is_new ? ' (new)' : ''}`,
          },
        ]}
        empty={null}
      />
      {run.faults.length > 0 && (
        <>
          <Table
            label="Lines that are refused"
            rows={run.faults.slice(0, 8)}
            rowKey={({ line, field }) => `${line} ${field}`}
            columns={[
              { title: 'Line', number: true, narrow: true, cell: ({ line }) => line },
              { title: 'Header', narrow: true, cell: ({ field }) => field },
              { title: 'What is wrong', cell: ({ message }) => message },
            ]}
            empty={null}
          />
          <Button
            icon="export"
            onClick={() =>
              void download(`${PATH}/${id}/rejects`, 'rejects.csv').catch((fault: unknown) =>
                say(fault instanceof ApiError ? fault.message : 'The file could not be made.', 'bad'),
              )
            }
          >
            Download all {run.rejected.toLocaleString('en')} refused lines
          </Button>
        </>
      )}
      <FormActions>
        {run.dry_run && over && run.status === 'done' && (
          <Button look="main" busy={busy} onClick={onImport} disabled={run.created + run.updated === 0}>
            Import {(run.created + run.updated).toLocaleString('en')} contacts
          </Button>
        )}
        {run.dry_run && <Button onClick={onAgain}>Another file</Button>}
        <Button look={run.dry_run ? 'plain' : 'main'} onClick={onDone}>
          {over || run.dry_run ? 'Close' : 'Go on in the background'}
        </Button>
      </FormActions>
    </div>
  )
}

function sentence({ dry_run, created, updated, rejected, lines }: ImportWithFaults, over: boolean): string {
  const number = (value: number) => value.toLocaleString('en')
  const counts = `${number(created)} new, ${number(updated)} changed, ${number(rejected)} refused`
  if (!over) return `${number(lines)} lines read: ${counts} so far.`
  return dry_run ? `Nothing is written yet. It would be ${counts}.` : `Imported: ${counts}.`
}
