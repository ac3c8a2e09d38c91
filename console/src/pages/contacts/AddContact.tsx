import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CellField } from './CellField.tsx'
import { ROWS, type ContactTable } from './contacts.ts'

export function AddContact({ table, onClose }: { table: ContactTable; onClose: () => void }) {
  const say = useSay()
  const draft = useDraft<{ cells: Record<string, string> }>('contact', { cells: {} })
  const [{ cells }, change] = draft
  const add = useWrite(() => call('POST', ROWS, { columns: cells }), [ROWS, '/console/api/checklist'])
  return (
    <FormDialog
      title={t('Add a contact')}
      action={t('Save')}
      write={add}
      draft={draft}
      blocked={Object.values(cells).every((value) => value.trim() === '') ? t('Fill in a field first.') : undefined}
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
          onChange={(value) => change({ cells: { ...cells, [column.id]: value } })}
        />
      ))}
    </FormDialog>
  )
}
