import { useEffect } from 'react'
import type { Change } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { plural, t } from '../../text/text.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CHANGES, ROWS, type Column } from './contacts.ts'
import { useReadAgain, useTakeRow } from './rows.ts'

/** What was done last: a change of many rows, or a cell that was written. */
export type Done = { change_id: string } | { row_id: string; column: Column; before: string }

const LOOK_EVERY_MS = 700
const OFFERED_MS = 30_000

/** Offers to undo the last change, until the next change or the timeout. */
export function UndoBar({ done, onOver }: { done: Done; onOver: () => void }) {
  return 'change_id' in done ? (
    <UndoChange id={done.change_id} onOver={onOver} />
  ) : (
    <UndoCell {...done} onOver={onOver} />
  )
}

function UndoCell({
  row_id,
  column,
  before,
  onOver,
}: {
  row_id: string
  column: Column
  before: string
  onOver: () => void
}) {
  const say = useSay()
  const take = useTakeRow()
  const undo = useWrite(() => call('PATCH', `${ROWS}/${row_id}`, { columns: { [column.id]: before } }))
  useEnd(true, onOver)
  return (
    <Offer
      sentence={t('{column} is saved.', { column: column.name })}
      busy={undo.isPending}
      onOver={onOver}
      onUndo={() =>
        undo.mutate(undefined, {
          onSuccess: ({ row }) => {
            take(row)
            say(t('{column} is restored.', { column: column.name }))
            onOver()
          },
          onError: (fault) => say(fault.faults[0]?.message ?? fault.message, 'bad'),
        })
      }
    />
  )
}

function UndoChange({ id, onOver }: { id: string; onOver: () => void }) {
  const say = useSay()
  const readAgain = useReadAgain()
  const path = `${CHANGES}/${id}` as const
  const first = useRead(path)
  const under_way = first.data?.status === 'running' || first.data?.status === 'undoing'
  const found = useRead(path, under_way ? { every_ms: LOOK_EVERY_MS } : {})
  const undo = useWrite(() => call('POST', `${path}/undo`), [CHANGES])
  const status = found.data?.status
  // Whatever has come to an end is to be seen in the sheet.
  useEffect(() => {
    if (status === 'done' || status === 'undone') readAgain()
  }, [status, readAgain])
  useEnd(status === 'done' || status === 'undone', onOver)
  if (!found.data) return null
  return (
    <Offer
      sentence={sentenceOf(found.data)}
      busy={undo.isPending}
      onOver={onOver}
      onUndo={
        status === 'done'
          ? () =>
              undo.mutate(undefined, {
                onError: (fault) => {
                  say(fault.message, 'bad')
                  onOver()
                },
              })
          : undefined
      }
    />
  )
}

function useEnd(over: boolean, onOver: () => void): void {
  useEffect(() => {
    if (!over) return
    const waiting = setTimeout(onOver, OFFERED_MS)
    return () => clearTimeout(waiting)
  }, [over, onOver])
}

type OfferProps = { sentence: string; busy: boolean; onUndo: (() => void) | undefined; onOver: () => void }

function Offer({ sentence, busy, onUndo, onOver }: OfferProps) {
  return (
    <div className="contacts-undo row">
      <span role="status">{sentence}</span>
      {onUndo && (
        <Button icon="again" busy={busy} onClick={onUndo}>
          {t('Undo')}
        </Button>
      )}
      <IconButton label={t('Hide this')} icon="close" onClick={onOver} />
    </div>
  )
}

function sentenceOf({ action, status, rows, restored, not_restored, fault }: Change): string {
  switch (status) {
    case 'running':
      return action === 'delete'
        ? plural(rows, '{n} contact deleted so far…', '{n} contacts deleted so far…')
        : plural(rows, '{n} contact changed so far…', '{n} contacts changed so far…')
    case 'done':
    case 'final': {
      const done =
        action === 'delete'
          ? plural(rows, '{n} contact deleted.', '{n} contacts deleted.')
          : plural(rows, '{n} contact changed.', '{n} contacts changed.')
      return fault === undefined ? done : `${done} ${t('Then the operation stopped: {fault}', { fault })}`
    }
    case 'undoing':
      return plural(restored, '{n} contact restored so far…', '{n} contacts restored so far…')
    case 'undone': {
      const back = plural(restored, '{n} contact restored.', '{n} contacts restored.')
      return not_restored > 0 ? `${back} ${leftAsTheyAre(not_restored)}` : back
    }
  }
}

function leftAsTheyAre(count: number): string {
  return plural(
    count,
    '{n} contact was changed since and is left as it is.',
    '{n} contacts were changed since and are left as they are.',
  )
}
