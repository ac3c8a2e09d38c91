import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { ROWS, type ContactTable } from './contacts.ts'

export function AddContact({ table, onClose }: { table: ContactTable; onClose: () => void }) {
  const say = useSay()
  const [cells, setCells] = useState<Record<string, string>>({})
  const add = useWrite(() => call('POST', ROWS, { columns: cells }), [ROWS, '/console/api/checklist'])
  return (
    <FormDialog
      title="Add a contact"
      action="Save"
      write={add}
      disabled={Object.values(cells).every((value) => value.trim() === '')}
      onDone={() => {
        say('The contact is saved.')
      }}
      onClose={onClose}
    >
      {table.columns.map(({ id, name, type, options }) => {
        const shared = {
          // A refused cell is named as it was given.
          name: `columns.${id}`,
          label: name,
          value: cells[id] ?? '',
          onChange: (value: string) => setCells({ ...cells, [id]: value }),
        }
        if (type === 'SELECT') {
          const choices = ['', ...(options ?? [])].map((value) => ({ value, label: value || '–' }))
          return <SelectField key={id} {...shared} choices={choices} />
        }
        return <TextField key={id} {...shared} type={INPUTS[type] ?? 'text'} />
      })}
    </FormDialog>
  )
}

const INPUTS: Record<string, string> = { 'PHONE NUMBER': 'tel', EMAIL: 'email', URL: 'url', DATE: 'date' }
