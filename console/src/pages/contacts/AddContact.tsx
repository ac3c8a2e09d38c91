import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CellField } from './CellField.tsx'
import { ROWS, type ContactTable } from './contacts.ts'

export function AddContact({ table, onClose }: { table: ContactTable; onClose: () => void }) {
  const say = useSay()
  const [cells, setCells] = useState<Record<string, string>>({})
  const add = useWrite(() => call('POST', ROWS, { columns: cells }), [ROWS, '/console/api/checklist'])
  return (
    <FormDialog
      title={t('Add a contact')}
      action={t('Save')}
      write={add}
      disabled={Object.values(cells).every((value) => value.trim() === '')}
      onDone={() => {
        say(t('The contact is saved.'))
      }}
      onClose={onClose}
    >
      {table.columns.map((column) => (
        <CellField
          key={column.id}
          column={column}
          value={cells[column.id] ?? ''}
          onChange={(value) => setCells({ ...cells, [column.id]: value })}
        />
      ))}
    </FormDialog>
  )
}
