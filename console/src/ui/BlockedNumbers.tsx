import { useState, type ReactNode } from 'react'
import type { Beginning } from '../answers.ts'
import type { KeptDraft } from '../draft.ts'
import { useWrite, type Pages } from '../read.ts'
import { changeQuery, useRoute } from '../router.tsx'
import { t } from '../text/text.ts'
import { Button } from './Button.tsx'
import { Confirm } from './Dialog.tsx'
import { Empty } from './Empty.tsx'
import { AreaField, SearchField } from './fields.tsx'
import { FormDialog } from './FormDialog.tsx'
import { Page, Section } from './Page.tsx'
import { PagedTable, type Column, ACTIONS } from './Table.tsx'
import { useSay } from './Toast.tsx'

/** The digits that the page is searched for; undefined: all numbers. */
export function useNumberSearch(): string | undefined {
  return useRoute().query.q?.replace(/\D/g, '') || undefined
}

type Adding = { onClose: () => void }

/** A page of numbers that receive nothing: to search, to add to and to remove from. */
export function BlockedNumbers<T>({
  title,
  lead,
  pages,
  rowKey,
  columns,
  none,
  Block,
  unblock,
}: {
  title: string
  lead: string
  pages: Pages<T>
  rowKey: (row: T) => string
  columns: readonly Column<T>[]
  /** Shown if there are none, searched or not. */
  none: ReactNode
  /** The window that adds numbers. */
  Block: (props: Adding) => ReactNode
  unblock: {
    nameOf: (row: T) => string
    write: (row: T) => Promise<unknown>
    stale: readonly Beginning[]
    effect: string
  }
}) {
  const { query } = useRoute()
  const is_searched = useNumberSearch() !== undefined
  const say = useSay()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<T>()
  const name = removing && unblock.nameOf(removing)
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <Button look="main" icon="plus" onClick={() => setAdding(true)}>
          {t('Block numbers')}
        </Button>
      }
    >
      <Section
        flush
        title={t('Blocked||numbers')}
        actions={
          <SearchField label={t('Search by number')} value={query.q ?? ''} onChange={(q) => changeQuery({ q })} />
        }
      >
        <PagedTable
          label={title}
          pages={pages}
          rowKey={rowKey}
          columns={[
            ...columns,
            {
              ...ACTIONS,
              cell: (row) => (
                <Button look="bare" changes onClick={() => setRemoving(row)}>
                  {t('Unblock')}
                </Button>
              ),
            },
          ]}
          empty={
            is_searched ? (
              <Empty title={t('No blocked number begins with these digits.')}>
                {t('Enter the first digits, with the country code.')}
              </Empty>
            ) : (
              none
            )
          }
        />
      </Section>
      {adding && <Block onClose={() => setAdding(false)} />}
      {removing && name !== undefined && (
        <Confirm
          title={t('Unblock {entry}?', { entry: name })}
          action={t('Unblock')}
          keep={t('Keep it blocked')}
          write={() => unblock.write(removing)}
          stale={unblock.stale}
          onDone={() => say(t('{entry} is no longer blocked.', { entry: name }))}
          onClose={() => setRemoving(undefined)}
        >
          <p>{unblock.effect}</p>
        </Confirm>
      )}
    </Page>
  )
}

/** Asks for numbers to block. `name` is the API’s name of the list. */
export function BlockDialog<Answer>({
  name,
  label,
  hint,
  text,
  onText,
  draft,
  write,
  stale,
  done,
  blocked,
  onClose,
  children,
}: Adding & {
  name: string
  label: string
  hint: string
  text: string
  onText: (text: string) => void
  draft?: KeptDraft
  write: (entries: readonly string[]) => Promise<Answer>
  stale: readonly Beginning[]
  done: (answer: Answer) => string
  /** Why it cannot be submitted yet, besides a missing number. */
  blocked?: string | undefined
  children?: ReactNode
}) {
  const say = useSay()
  const entries = text
    .split(/[\n,;]+/)
    .map((entry) => entry.trim())
    .filter(Boolean)
  const block = useWrite(() => write(entries), stale)
  return (
    <FormDialog
      title={t('Block numbers')}
      action={t('Block')}
      write={block}
      draft={draft}
      onDone={(answer) => say(done(answer))}
      onClose={onClose}
      blocked={entries.length === 0 ? t('Enter a number first.') : blocked}
    >
      <AreaField name={name} label={label} hint={hint} entries={entries} value={text} onChange={onText} />
      {children}
    </FormDialog>
  )
}
