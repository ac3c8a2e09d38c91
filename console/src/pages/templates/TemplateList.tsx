import { useState, type ReactNode } from 'react'
import type { Beginning } from '../../answers.ts'
import type { Pages } from '../../read.ts'
import { go, Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { PagedTable, type Column, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

type Named = { id: string; name: string }

/** Templates with a link to each, when it was changed, and a button that deletes it. */
export function TemplateList<T extends Named>({
  label,
  pages,
  page,
  columns,
  titleOf,
  changedOf,
  mayRemove,
  remove,
  stale,
  effect,
  empty,
}: {
  label: string
  pages: Pages<T>
  /** Where each of them is shown, under its id. */
  page: string
  columns: readonly Column<T>[]
  titleOf: (template: T) => string
  changedOf: (template: T) => string
  mayRemove: (template: T) => boolean
  remove: (template: T) => Promise<unknown>
  stale: Beginning
  /** What deleting one does. */
  effect: string
  empty: ReactNode
}) {
  const say = useSay()
  const [removing, setRemoving] = useState<T>()
  return (
    <>
      <PagedTable
        label={label}
        pages={pages}
        rowKey={({ id }) => id}
        onRow={({ id }) => go(`${page}/${id}`)}
        columns={[
          {
            title: t('Name'),
            narrow: true,
            cell: (template) => <Link to={`${page}/${template.id}`}>{titleOf(template)}</Link>,
          },
          ...columns,
          { title: t('Changed'), narrow: true, cell: (template) => <Time at={changedOf(template)} /> },
          {
            ...ACTIONS,
            cell: (template) =>
              mayRemove(template) && (
                <Button look="remove" onClick={() => setRemoving(template)}>
                  {t('Delete')}
                </Button>
              ),
          },
        ]}
        empty={empty}
      />
      {removing && (
        <Confirm
          title={t('Delete “{name}”?', { name: titleOf(removing) })}
          action={t('Delete the template')}
          keep={t('Keep the template')}
          write={() => remove(removing)}
          stale={[stale]}
          onDone={() => say(t('Template deleted.'))}
          onClose={() => setRemoving(undefined)}
        >
          <p>{effect}</p>
        </Confirm>
      )}
    </>
  )
}
