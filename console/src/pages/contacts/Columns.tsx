import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm, Dialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Table } from '../../ui/Table.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CONTACT, type Column, type ContactTable } from './contacts.ts'

const PATH = `${CONTACT}/columns`
const TYPES = ['TEXT', 'NUMBER', 'DATE', 'PHONE NUMBER', 'EMAIL', 'URL', 'SELECT', 'MULTI SELECT']

/** The columns there are, and one more. */
export function Columns({ table, onClose }: { table: ContactTable; onClose: () => void }) {
  const say = useSay()
  const [removing, setRemoving] = useState<Column>()
  const remove = useWrite((id: string) => call('DELETE', `${PATH}/${id}`), [CONTACT])
  if (removing) {
    return (
      <Confirm
        title={`Delete the column ${removing.name}?`}
        action="Delete the column"
        busy={remove.isPending}
        onClose={() => setRemoving(undefined)}
        onConfirm={() =>
          remove.mutate(removing.id, {
            onSuccess: () => say('The column is deleted.'),
            onError: (fault) => say(fault.faults[0]?.message ?? fault.message, 'bad'),
            onSettled: () => setRemoving(undefined),
          })
        }
      >
        <p>All its cells go with it, and cannot be brought back.</p>
      </Confirm>
    )
  }
  return (
    <Dialog title="Columns" onClose={onClose}>
      <Table
        label="Columns"
        rows={table.columns}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <b>{name}</b> },
          { title: 'Kind', narrow: true, cell: ({ type }) => typeName(type) },
          {
            title: 'Actions',
            unseen: true,
            narrow: true,
            cell: (column) => (
              <Button look="remove" onClick={() => setRemoving(column)}>
                Delete
              </Button>
            ),
          },
        ]}
        empty={<Empty title="There are no columns.">Add the first below.</Empty>}
      />
      <AddColumn />
    </Dialog>
  )
}

function AddColumn() {
  const say = useSay()
  const [name, setName] = useState('')
  const [type, setType] = useState('TEXT')
  const [options, setOptions] = useState('')
  const wants_options = type.endsWith('SELECT')
  const add = useWrite(
    () =>
      call('POST', PATH, {
        name,
        type,
        ...(wants_options
          ? {
              options: options
                .split(',')
                .map((option) => option.trim())
                .filter(Boolean),
            }
          : {}),
      }),
    [CONTACT],
  )
  return (
    <Form
      error={add.error}
      label="Add a column"
      onSubmit={() =>
        add.mutate(undefined, {
          onSuccess: () => {
            say('The column is added.')
            setName('')
            setOptions('')
          },
        })
      }
    >
      <h3>Another column</h3>
      <div className="fields">
        <TextField name="name" label="Name" value={name} onChange={setName} />
        <SelectField
          name="type"
          label="Kind"
          value={type}
          onChange={setType}
          choices={TYPES.map((value) => ({ value, label: typeName(value) }))}
        />
      </div>
      {wants_options && (
        <TextField name="options" label="Choices" hint="Separated by commas." value={options} onChange={setOptions} />
      )}
      <FormActions>
        <Button look="main" type="submit" busy={add.isPending}>
          Add the column
        </Button>
      </FormActions>
    </Form>
  )
}

function typeName(type: string): string {
  const names: Record<string, string> = { EMAIL: 'E-mail', URL: 'Link', SELECT: 'Choice', 'MULTI SELECT': 'Choices' }
  return names[type] ?? `${type.slice(0, 1)}${type.slice(1).toLowerCase()}`
}
