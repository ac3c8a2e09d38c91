import type { PriceChange } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { number, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { PRICE_LISTS } from './prices.ts'

const KINDS = { set: t('Price set'), import: t('Rate sheet'), undo: t('Import undone') }

/** What changed a price list, newest first; the latest import can be undone. */
export function Changes({ name, onUndo }: { name: string; onUndo: () => void }) {
  const { data } = useRead(`${PRICE_LISTS}/${name}/changes`)
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
          { title: t('What'), cell: whatOf },
          { title: t('Added'), number: true, narrow: true, cell: ({ added }) => number(added) },
          { title: t('Raised||prices'), number: true, narrow: true, cell: ({ raised }) => number(raised) },
          { title: t('Lowered||prices'), number: true, narrow: true, cell: ({ lowered }) => number(lowered) },
          { title: t('Removed'), number: true, narrow: true, cell: ({ removed }) => number(removed) },
          { title: t('By||who did it'), narrow: true, minor: true, cell: ({ actor }) => actor },
        ]}
        empty={<Empty title={t('No changes yet.')}>{t('Every change appears here, with who made it.')}</Empty>}
      />
    </Section>
  )
}

function whatOf({ kind, file_name, undone_by }: PriceChange): string {
  const what = [KINDS[kind], file_name].filter((part) => part !== undefined).join(': ')
  return undone_by === undefined ? what : t('{what} (undone)', { what })
}
