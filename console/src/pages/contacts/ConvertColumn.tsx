import { useState } from 'react'
import type { Conversion } from '../../../../clients/typescript/src/types.ts'
import { call, type ApiError } from '../../api.ts'
import { useDraft, type KeptDraft } from '../../draft.ts'
import { useRead, useRefresh, useWrite } from '../../read.ts'
import { number, plural, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { CheckField, SelectField } from '../../ui/fields.tsx'
import { Form, FormActions, Refused } from '../../ui/Form.tsx'
import { Table } from '../../ui/Table.tsx'
import { formatChoices, TYPE_CHOICES, TYPES } from './column-types.ts'
import { CONTACT, type Column } from './contacts.ts'
import { useReadAgain } from './rows.ts'

const CONVERSIONS = `${CONTACT}/conversions` as const
const LOOK_EVERY_MS = 700

type Wanted = { type: string; format: string; clear_unfit: boolean }

const NOT_CHOSEN: Wanted = { type: '', format: '', clear_unfit: false }

/** Choose a type, see what becomes of the cells, then convert them; the last conversion can be undone from here. */
export function ConvertColumn({ column, onClose }: { column: Column; onClose: () => void }) {
  const refresh = useRefresh()
  const readAgain = useReadAgain()
  const [id, setId] = useState(column.conversion_id)
  const draft = useDraft<Wanted>(`convert.${column.id}`, NOT_CHOSEN)
  const [wanted, setWanted, forget] = draft
  const start = useWrite(async (dry_run: boolean) => {
    const begun = await call('POST', `${CONTACT}/columns/${column.id}/conversions`, {
      type: wanted.type,
      ...(wanted.format === '' ? {} : { format: wanted.format }),
      clear_unfit: wanted.clear_unfit,
      dry_run,
    })
    if (!dry_run) forget()
    return begun
  })
  const begin = (dry_run: boolean) => start.mutate(dry_run, { onSuccess: (begun) => setId(begun.id) })
  function leave() {
    forget()
    refresh(CONTACT)
    readAgain()
    onClose()
  }
  return (
    <Dialog title={t('Convert {name}', { name: column.name })} wide onClose={leave}>
      {id === undefined ? (
        <Choose
          column={column}
          draft={draft}
          wanted={wanted}
          onChange={setWanted}
          error={start.error}
          busy={start.isPending}
          onCheck={() => begin(true)}
        />
      ) : (
        <Progress
          key={id}
          id={id}
          wanted={wanted}
          onChange={setWanted}
          error={start.error}
          busy={start.isPending}
          onConvert={() => begin(false)}
          onAgain={() => {
            start.reset()
            setId(undefined)
          }}
          onDone={leave}
        />
      )}
    </Dialog>
  )
}

type ChooseProps = {
  column: Column
  draft: KeptDraft
  wanted: Wanted
  onChange: (wanted: Wanted) => void
  error: ApiError | null
  busy: boolean
  onCheck: () => void
}

function Choose({ column, draft, wanted, onChange, error, busy, onCheck }: ChooseProps) {
  const formats = formatChoices(wanted.type)
  return (
    <Form error={error} draft={draft} onSubmit={onCheck} label={t('Choose a type')}>
      <p>
        {t('{name} has the type {kind}. All its cells are checked first; nothing changes yet.', {
          name: column.name,
          kind: TYPES[column.type],
        })}
      </p>
      <div className="fields">
        <SelectField
          name="type"
          label={t('New type')}
          value={wanted.type}
          onChange={(type) => onChange({ ...NOT_CHOSEN, type })}
          choices={[{ value: '', label: t('Choose…') }, ...TYPE_CHOICES.filter(({ value }) => value !== column.type)]}
        />
        {formats.length > 0 && (
          <SelectField
            name="format"
            label={t('Format||how values are written')}
            value={wanted.format}
            onChange={(format) => onChange({ ...wanted, format })}
            choices={[{ value: '', label: t('detect it') }, ...formats]}
          />
        )}
      </div>
      <FormActions>
        <Button
          look="main"
          type="submit"
          busy={busy}
          blocked={wanted.type === '' ? t('Choose the new type first.') : undefined}
        >
          {t('Check the cells')}
        </Button>
        <CloseButton />
      </FormActions>
    </Form>
  )
}

type ProgressProps = {
  id: string
  wanted: Wanted
  onChange: (wanted: Wanted) => void
  error: ApiError | null
  busy: boolean
  onConvert: () => void
  onAgain: () => void
  onDone: () => void
}

function Progress({ id, wanted, onChange, error, busy, onConvert, onAgain, onDone }: ProgressProps) {
  const path = `${CONVERSIONS}/${id}` as const
  const first = useRead(path)
  const under_way = first.data?.status === 'checking' || first.data?.status === 'running'
  const found = useRead(path, under_way ? { every_ms: LOOK_EVERY_MS } : {})
  const undo = useWrite(() => call('POST', `${path}/undo`), [CONVERSIONS])
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} />
  const run = found.data
  const checked = run.status === 'checked'
  return (
    <div className="stack">
      {error && <Refused error={error} />}
      {undo.error && <Refused error={undo.error} />}
      <p role="status">
        <b>{sentence(run)}</b>
      </p>
      {run.status !== 'undone' && <Cells run={run} />}
      {checked && run.unfit > 0 && (
        <CheckField
          name="clear_unfit"
          label={plural(run.unfit, 'Clear the {n} cell that does not fit', 'Clear the {n} cells that do not fit')}
          hint={t('You can undo this for ten minutes.')}
          checked={wanted.clear_unfit}
          onChange={(clear_unfit) => onChange({ ...wanted, clear_unfit })}
        />
      )}
      <FormActions>
        {checked && (
          <Button
            look="main"
            busy={busy}
            onClick={onConvert}
            blocked={
              run.unfit > 0 && !wanted.clear_unfit ? t('Some cells do not fit: allow them to be cleared.') : undefined
            }
          >
            {t('Convert the column')}
          </Button>
        )}
        {run.status === 'done' && (
          <Button icon="again" busy={undo.isPending} onClick={() => undo.mutate()}>
            {t('Undo')}
          </Button>
        )}
        {!under_way && <Button onClick={onAgain}>{t('Another type')}</Button>}
        <Button onClick={onDone}>{run.status === 'running' ? t('Continue in the background') : t('Close')}</Button>
      </FormActions>
    </div>
  )
}

/** The first cells: what becomes of them, and why some do not fit. */
function Cells({ run: { examples, faults } }: { run: Conversion }) {
  const lines = [
    ...faults.map(({ row_id, value, message }) => ({ row_id, value, becomes: message, fits: false })),
    ...examples.map(({ row_id, value, becomes }) => ({ row_id, value, becomes, fits: true })),
  ]
  if (lines.length === 0) return null
  return (
    <Table
      label={t('Result for the cells')}
      rows={lines}
      rowKey={({ row_id, fits }) => `${row_id} ${String(fits)}`}
      columns={[
        { title: t('Cell'), clip: true, cell: ({ value }) => value },
        {
          title: t('Becomes'),
          cell: ({ becomes, fits }) => (fits ? <b>{becomes}</b> : t('does not fit: {reason}', { reason: becomes })),
        },
      ]}
      empty={null}
    />
  )
}

function sentence(run: Conversion): string {
  const counts = { fits: number(run.fits), unfit: number(run.unfit), rows: number(run.rows), kind: TYPES[run.type] }
  switch (run.status) {
    case 'checking':
      return t('{rows} contacts read: {fits} cells fit, {unfit} do not so far.', counts)
    case 'checked':
      return t('Nothing is changed yet. {fits} cells fit {kind}, {unfit} do not.', counts)
    case 'running':
      return t('{rows} contacts read. The column stays as it is until all are converted.', counts)
    case 'done':
    case 'final':
      return t('The column is {kind} now: {fits} cells converted, {unfit} cleared.', counts)
    case 'undone':
      return t('The column is restored.')
    case 'failed':
      return t('The column stays as it was. {reason}', { reason: run.fault ?? '' })
  }
}
