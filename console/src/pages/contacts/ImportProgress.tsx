import { useState } from 'react'
import type { ImportWithFaults } from '../../../../clients/typescript/src/types.ts'
import { ApiError, download } from '../../api.ts'
import { useRead } from '../../read.ts'
import { number, plural, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { FormActions, Refused } from '../../ui/Form.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { Table } from '../../ui/Table.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { TYPES } from './column-types.ts'
import { CONTACT, type ContactTable } from './contacts.ts'
import { ImportType, isOpen, type Typed } from './ImportTypes.tsx'

export const IMPORTS = `${CONTACT}/imports` as const

const OVER = ['done', 'failed', 'canceled']
const SHOWN_FAULTS = 20
/** In the mapping: leave it out, or make a column of it. */
const NOWHERE = ''
const NEW = '*'

type Props = {
  /** As the service answered to the upload, with samples. */
  begun: ImportWithFaults
  table: ContactTable
  mapping: Readonly<Record<string, string>>
  onMap: (header: string, column: string) => void
  typed: Typed
  onType: (typed: Typed) => void
  error: ApiError | null
  busy: boolean
  onBegin: (dry_run: boolean) => void
  onAgain: () => void
  onDone: () => void
}

/** How far an import is, and what would come of one that only tries. */
export function ImportProgress({
  begun,
  table,
  mapping,
  onMap,
  typed,
  onType,
  error,
  busy,
  onBegin,
  onAgain,
  onDone,
}: Props) {
  const found = useRead(`${IMPORTS}/${begun.id}`, { every_ms: 700 })
  const [checked] = useState({ mapping, typed })
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} />
  const run = found.data
  const over = OVER.includes(run.status)
  const changed = mapping !== checked.mapping || typed !== checked.typed
  const unanswered = begun.columns.filter((field) => isOpen(field, typed))
  return (
    <div className="stack">
      {error && <Refused error={error} />}
      <p className="row" role="status">
        <Badge status={run.status} />
        <b>{sentence(run, over)}</b>
      </p>
      <progress value={run.progress} max={1} aria-label={t('Progress')} />
      {run.fault && <p className="faults">{run.fault}</p>}
      <Table
        label={t('Where the fields go')}
        rows={begun.columns}
        rowKey={({ header }) => header}
        columns={[
          { title: t('Header'), narrow: true, cell: ({ header }) => <b>{header}</b> },
          {
            title: t('Values'),
            clip: true,
            cell: ({ samples = [] }) => <span className="soft">{samples.join(' · ')}</span>,
          },
          {
            title: t('Goes to'),
            narrow: true,
            cell: (field) =>
              run.dry_run ? (
                <Target field={field} table={table} chosen={mapping[field.header]} onMap={onMap} />
              ) : (
                wordsOf(field)
              ),
          },
          {
            title: t('Type'),
            narrow: true,
            cell: (field) =>
              run.dry_run ? (
                <ImportType field={field} typed={typed} onType={onType} />
              ) : (
                field.type && TYPES[field.type]
              ),
          },
        ]}
        empty={null}
      />
      {unanswered.map(({ header }) => (
        <p key={header} role="alert">
          {t('The dates of {header} are ambiguous, as 03/04/2026 is. Choose what comes first, or take them as text.', {
            header,
          })}
        </p>
      ))}
      {run.faults.length > 0 && <Faults run={run} />}
      <FormActions>
        {run.dry_run && changed && (
          <Button look="main" busy={busy} onClick={() => onBegin(true)}>
            {t('Check again')}
          </Button>
        )}
        {run.dry_run && !changed && run.status === 'done' && (
          <Button
            look="main"
            busy={busy}
            onClick={() => onBegin(false)}
            blocked={
              unanswered.length > 0
                ? t('First choose how the dates are written.')
                : run.created + run.updated === 0
                  ? t('No row can be imported.')
                  : undefined
            }
          >
            {plural(run.created + run.updated, 'Import {n} contact', 'Import {n} contacts')}
          </Button>
        )}
        {run.dry_run && <Button onClick={onAgain}>{t('Another file')}</Button>}
        <Button look={run.dry_run ? 'plain' : 'main'} onClick={onDone}>
          {over || run.dry_run ? t('Close') : t('Continue in the background')}
        </Button>
      </FormActions>
    </div>
  )
}

type ImportField = ImportWithFaults['columns'][number]
type TargetProps = {
  field: ImportField
  table: ContactTable
  chosen: string | undefined
  onMap: (header: string, column: string) => void
}

function Target({ field, table, chosen, onMap }: TargetProps) {
  const { header, column_id, is_new } = field
  const taken = table.columns.some(({ name }) => name.toLowerCase() === header.trim().toLowerCase())
  return (
    <Select
      label={t('Where {header} goes', { header })}
      value={chosen ?? column_id ?? (is_new ? NEW : NOWHERE)}
      onChange={(column) => onMap(header, column)}
      choices={[
        { value: NOWHERE, label: t('leave it out') },
        ...(taken ? [] : [{ value: NEW, label: t('a new column') }]),
        ...table.columns.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

function wordsOf({ name, is_new }: ImportField): string {
  if (name === undefined) return t('left out')
  return is_new ? t('{name} (new)', { name }) : name
}

/** The lines that were refused, and all of them to download. */
export function Faults({ run }: { run: ImportWithFaults }) {
  const say = useSay()
  return (
    <>
      <Table
        label={t('Lines that are refused')}
        rows={run.faults.slice(0, SHOWN_FAULTS)}
        rowKey={({ line, field }) => `${line} ${field}`}
        columns={[
          { title: t('Line'), number: true, narrow: true, cell: ({ line }) => line },
          { title: t('Header'), narrow: true, cell: ({ field }) => field },
          { title: t('Value'), narrow: true, cell: ({ value }) => value ?? <span className="soft">–</span> },
          { title: t('What is wrong'), cell: ({ message }) => message },
        ]}
        empty={null}
      />
      <Button
        icon="export"
        onClick={() =>
          void download(`${IMPORTS}/${run.id}/rejects`, 'rejects.csv').catch((fault: unknown) =>
            say(fault instanceof ApiError ? fault.message : t('The file could not be created.'), 'bad'),
          )
        }
      >
        {t('Download all {n} rejected rows', { n: number(run.rejected) })}
      </Button>
    </>
  )
}

export function sentence({ dry_run, created, updated, rejected, lines }: ImportWithFaults, over: boolean): string {
  const counts = { created: number(created), updated: number(updated), rejected: number(rejected) }
  if (!over) {
    return t('{lines} lines read: {created} new, {updated} changed, {rejected} refused so far.', {
      ...counts,
      lines: number(lines),
    })
  }
  return dry_run
    ? t('Nothing is written yet. It would be {created} new, {updated} changed, {rejected} refused.', counts)
    : t('Imported: {created} new, {updated} changed, {rejected} refused.', counts)
}
