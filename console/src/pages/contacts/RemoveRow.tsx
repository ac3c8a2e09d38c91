import { useState } from 'react'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { ROWS, type ContactRow, type ContactTable } from './contacts.ts'

export function RemoveRow({ row, table }: { row: ContactRow; table: ContactTable }) {
  const say = useSay()
  const [asking, setAsking] = useState(false)
  const remove = useWrite(() => call('DELETE', `${ROWS}/${row.id}`), [ROWS])
  const name = table.columns.map(({ id }) => row.columns[id]).find(Boolean) ?? 'this contact'
  return (
    <>
      <IconButton label={`Delete ${name}`} icon="trash" tabIndex={-1} onClick={() => setAsking(true)} />
      {asking && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the contact"
          busy={remove.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate(undefined, {
              onSuccess: () => say('The contact is deleted.'),
              onError: (fault) => say(fault.message, 'bad'),
              onSettled: () => setAsking(false),
            })
          }
        >
          <p>It cannot be brought back.</p>
        </Confirm>
      )}
    </>
  )
}
