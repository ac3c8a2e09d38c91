import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { CHANGES, type Column } from './contacts.ts'
import { countChosen, EVERYTHING, NOTHING, rowsOf, type Selection } from './selection.ts'

type Props = {
  selection: Selection
  count_total: number | undefined
  columns: readonly Column[]
  /** What the sheet shows, for what is to be done with all of it. */
  query: object
  onSelect: (selection: Selection) => void
  /** A change has begun, under this id. */
  onBegun: (id: string) => void
}

/** What can be done with the chosen rows. */
export function SelectionBar({ selection, count_total, columns, query, onSelect, onBegun }: Props) {
  const [open, setOpen] = useState<'set' | 'delete'>()
  const count = countChosen(selection, count_total)
  if (count === 0) return null
  const close = () => setOpen(undefined)
  const rows = rowsOf(selection, query)
  function begun(id: string) {
    onSelect(NOTHING)
    onBegun(id)
  }
  return (
    <div className="contacts-selected row" role="region" aria-label={t('What is selected')}>
      <b role="status">
        {count === undefined
          ? t('All are selected')
          : plural(count, '{n} selected||one contact', '{n} selected||contacts')}
      </b>
      <Button icon="edit" onClick={() => setOpen('set')}>
        {t('Change a cell')}
      </Button>
      <Button look="danger" icon="trash" onClick={() => setOpen('delete')}>
        {t('Delete')}
      </Button>
      {!selection.all && count_total !== undefined && count_total > selection.ids.size && (
        <Button look="bare" onClick={() => onSelect(EVERYTHING)}>
          {t('Select all {n} that match', { n: number(count_total) })}
        </Button>
      )}
      <Button look="bare" onClick={() => onSelect(NOTHING)}>
        {t('Select none')}
      </Button>
      {open === 'set' && <SetCells count={count} rows={rows} columns={columns} onClose={close} onBegun={begun} />}
      {open === 'delete' && <DeleteRows count={count} rows={rows} onClose={close} onBegun={begun} />}
    </div>
  )
}

/** The count is undefined if all matching contacts are selected and the total is unknown. */
type DoneProps = { count: number | undefined; rows: object; onClose: () => void; onBegun: (id: string) => void }

function SetCells({ count, rows, columns, onClose, onBegun }: DoneProps & { columns: readonly Column[] }) {
  const [column_id, setColumn] = useState('')
  const [value, setValue] = useState('')
  const [clears, setClears] = useState(false)
  const column = columns.find(({ id }) => id === column_id)
  const write = useWrite(() =>
    call('POST', CHANGES, { action: 'set', columns: { [column_id]: clears ? '' : value }, ...rows }),
  )
  const shared = { name: `columns.${column_id}`, label: t('To||the new value of a cell'), value, onChange: setValue }
  return (
    <FormDialog
      title={
        count === undefined
          ? t('Change all contacts that match')
          : plural(count, 'Change {n} contact', 'Change {n} contacts')
      }
      action={clears ? t('Clear the cells') : t('Change the cells')}
      blocked={
        column === undefined
          ? t('Choose a column first.')
          : !clears && value.trim() === ''
            ? t('Enter the new value first.')
            : undefined
      }
      write={write}
      onDone={({ id }) => onBegun(id)}
      onClose={onClose}
    >
      <SelectField
        name="column"
        label={t('Set||a column to a value')}
        value={column_id}
        onChange={(id) => {
          setColumn(id)
          setValue('')
          setClears(false)
          write.reset()
        }}
        choices={[
          { value: '', label: t('Choose a column') },
          ...columns.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {column === undefined || clears ? null : column.type === 'SELECT' ? (
        <SelectField
          {...shared}
          choices={['', ...(column.options ?? [])].map((option) => ({ value: option, label: option || '–' }))}
        />
      ) : (
        <TextField {...shared} />
      )}
      {column && <CheckField name="clear" label={t('Clear the cells')} checked={clears} onChange={setClears} />}
    </FormDialog>
  )
}

function DeleteRows({ count, rows, onClose, onBegun }: DoneProps) {
  return (
    <Confirm
      title={
        count === undefined
          ? t('Delete all contacts that match?')
          : plural(count, 'Delete {n} contact?', 'Delete {n} contacts?')
      }
      action={t('Delete them')}
      keep={t('Keep them')}
      write={() => call('POST', CHANGES, { action: 'delete', ...rows })}
      onDone={({ id }) => onBegun(id)}
      onClose={onClose}
    >
      <p>{t('You can undo this for half a minute.')}</p>
    </Confirm>
  )
}
