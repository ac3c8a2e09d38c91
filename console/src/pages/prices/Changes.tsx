import type { PriceChange, PriceList } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { number, t } from '../../text/text.ts'
import { actorName } from '../../ui/actor-name.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { PRICE_LISTS, WORDS } from './prices.ts'

/** What changed a list, newest first; the latest import can be undone. */
export function Changes({ list, onUndo }: { list: PriceList; onUndo: () => void }) {
  const { data } = useRead(`${PRICE_LISTS}/${list.name}/changes`)
  const last = data?.changes.find(({ kind, undone_by }) => kind === 'import' && undone_by === undefined)
  if (!data) return null
  return (
    <Section
      flush
      title={t('Changes||of a price list')}
      actions={last && <Button onClick={onUndo}>{t('Undo the last import')}</Button>}
    >
      <Table
        label={t('Changes||of a price list')}
        rows={data.changes}
        rowKey={({ version }) => String(version)}
        columns={[
          { title: t('When'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
          { title: t('What'), cell: (change) => whatOf(change, WORDS[list.kind].was_set) },
          { title: t('Added'), number: true, narrow: true, cell: ({ added }) => number(added) },
          { title: t('Raised||prices'), number: true, narrow: true, cell: ({ raised }) => number(raised) },
          { title: t('Lowered||prices'), number: true, narrow: true, cell: ({ lowered }) => number(lowered) },
          { title: t('Removed'), number: true, narrow: true, cell: ({ removed }) => number(removed) },
          { title: t('By||who did it'), narrow: true, minor: true, cell: ({ actor }) => actorName(actor) },
        ]}
        empty={<Empty title={t('No changes yet.')}>{t('Every change appears here, with who made it.')}</Empty>}
      />
    </Section>
  )
}

function whatOf({ kind, file_name, undone_by }: PriceChange, was_set: string): string {
  const kinds = { set: was_set, import: t('Rate sheet'), undo: t('Import undone') }
  const what = [kinds[kind], file_name].filter((part) => part !== undefined).join(': ')
  return undone_by === undefined ? what : t('{what} (undone)', { what })
}
