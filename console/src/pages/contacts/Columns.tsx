import { useContext, useState } from 'react'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button, IconButton, ReadOnly } from '../../ui/Button.tsx'
import { Confirm, Dialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { TYPE_CHOICES, TYPES } from './column-types.ts'
import { CONTACT, type Column, type ContactTable } from './contacts.ts'
import { ConvertColumn } from './ConvertColumn.tsx'
import type { Viewed } from './view.ts'

const PATH = `${CONTACT}/columns`
type Props = { table: ContactTable; view: Viewed; onClose: () => void }

/** The columns there are: their names and order are everybody's, which of them are shown is one's own. */
export function Columns({ table, view, onClose }: Props) {
  const say = useSay()
  const read_only = useContext(ReadOnly)
  const [removing, setRemoving] = useState<Column>()
  const [renaming, setRenaming] = useState<Column>()
  const [converting, setConverting] = useState<Column>()
  const move = useWrite(
    ({ id, position }: { id: string; position: number }) => call('PATCH', `${PATH}/${id}`, { position }),
    [CONTACT],
  )
  if (removing) {
    return (
      <Confirm
        title={t('Delete the column {name}?', { name: removing.name })}
        action={t('Delete the column')}
        keep={t('Keep the column')}
        write={() => call('DELETE', `${PATH}/${removing.id}`)}
        stale={[CONTACT]}
        onDone={() => say(t('The column is deleted.'))}
        onClose={() => setRemoving(undefined)}
      >
        <p>{t('All its cells are deleted with it. This cannot be undone.')}</p>
      </Confirm>
    )
  }
  if (renaming) return <RenameColumn column={renaming} onClose={() => setRenaming(undefined)} />
  if (converting) return <ConvertColumn column={converting} onClose={() => setConverting(undefined)} />
  const placeOf = (column: Column) => table.columns.findIndex(({ id }) => id === column.id)
  return (
    <Dialog title={t('Columns')} wide onClose={onClose}>
      <Table
        label={t('Columns')}
        rows={table.columns}
        rowKey={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ name }) => <b>{name}</b> },
          { title: t('Type'), narrow: true, cell: ({ type }) => TYPES[type] },
          {
            title: t('Shown'),
            narrow: true,
            cell: ({ id, name }) => (
              <input
                type="checkbox"
                aria-label={t('Show {name}', { name })}
                checked={!view.hidden.includes(id)}
                onChange={(event) => view.hide(id, !event.target.checked)}
              />
            ),
          },
          {
            ...ACTIONS,
            cell: (column) => (
              <div className="row columns-actions">
                <IconButton
                  label={t('Move {name} forward', { name: column.name })}
                  changes
                  icon="left"
                  busy={move.isPending}
                  blocked={placeOf(column) === 0 ? t('it is the first column') : undefined}
                  onClick={() => move.mutate({ id: column.id, position: placeOf(column) })}
                />
                <IconButton
                  label={t('Move {name} back', { name: column.name })}
                  changes
                  icon="right"
                  busy={move.isPending}
                  blocked={placeOf(column) === table.columns.length - 1 ? t('it is the last column') : undefined}
                  onClick={() => move.mutate({ id: column.id, position: placeOf(column) + 2 })}
                />
                <Button look="bare" changes onClick={() => setRenaming(column)}>
                  {t('Rename')}
                </Button>
                <Button
                  look="bare"
                  changes
                  onClick={() => setConverting(column)}
                  aria-label={t('Convert {name}', { name: column.name })}
                >
                  {t('Convert')}
                </Button>
                <Button look="remove" onClick={() => setRemoving(column)}>
                  {t('Delete')}
                </Button>
              </div>
            ),
          },
        ]}
        empty={<Empty title={t('There are no columns.')}>{t('Add the first below.')}</Empty>}
      />
      {!read_only && <AddColumn />}
    </Dialog>
  )
}

function RenameColumn({ column, onClose }: { column: Column; onClose: () => void }) {
  const say = useSay()
  const [name, setName] = useState(column.name)
  const save = useWrite(() => call('PATCH', `${PATH}/${column.id}`, { name }), [CONTACT])
  return (
    <FormDialog
      title={t('Rename {name}', { name: column.name })}
      action={t('Rename')}
      write={save}
      onDone={() => say(t('The column is renamed.'))}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('Name')}
        hint={t('Placeholders such as {{Name}} refer to the column name: update your texts, too.')}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

function AddColumn() {
  const say = useSay()
  const draft = useDraft('column', { name: '', type: 'TEXT', options: '' })
  const [{ name, type, options }, change, forget] = draft
  const wants_options = type.endsWith('SELECT')
  const add = useWrite(async () => {
    await call('POST', PATH, {
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
    })
    forget()
  }, [CONTACT])
  return (
    <Form
      error={add.error}
      label={t('Add a column')}
      draft={draft}
      onSubmit={() => add.mutate(undefined, { onSuccess: () => say(t('The column is added.')) })}
    >
      <h3>{t('Another column')}</h3>
      <div className="fields">
        <TextField name="name" label={t('Name')} value={name} onChange={(next) => change({ name: next })} />
        <SelectField
          name="type"
          label={t('Type')}
          value={type}
          onChange={(next) => change({ type: next })}
          choices={TYPE_CHOICES}
        />
      </div>
      {wants_options && (
        <TextField
          name="options"
          label={t('Choices')}
          hint={t('Separated by commas.')}
          value={options}
          onChange={(next) => change({ options: next })}
        />
      )}
      <FormActions>
        <Button look="main" type="submit" busy={add.isPending}>
          {t('Add the column')}
        </Button>
      </FormActions>
    </Form>
  )
}
