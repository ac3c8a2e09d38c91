import { useState } from 'react'
import type { ImportAnswer, PriceList } from '../../api-types.ts'
import { call, withQuery } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { number, plural, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { FileField } from '../../ui/FileField.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { money } from '../../ui/Money.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { BELOW_COST } from './BelowCost.tsx'
import { PRICE_LISTS, STALE, targetName, WORDS } from './prices.ts'

type Props = { list: PriceList; currency: string; onClose: () => void }

/** Choose a rate sheet, see what it would change, then import it. */
export function ImportPrices({ list, currency, onClose }: Props) {
  const { name } = list
  const say = useSay()
  const [file, setFile] = useState<File>()
  const [replace, setReplace] = useState(false)
  const [date_order, setDateOrder] = useState('')
  const [columns, setColumns] = useState('')
  const [preview, setPreview] = useState<ImportAnswer>()
  const [skip_invalid, setSkipInvalid] = useState(false)

  const send = (more: Record<string, string>) =>
    call(
      'POST',
      withQuery(`${PRICE_LISTS}/${name}/imports`, {
        replace: String(replace),
        date_order,
        columns,
        file_name: file?.name.slice(0, 200),
        ...more,
      }),
      file ?? new Blob(['']),
      { content_type: 'text/csv' },
    )
  const look = useWrite(() => send({ dry_run: 'true' }))
  const apply = useWrite(
    () => send({ version: String(preview?.version ?? 0), skip_invalid: String(skip_invalid) }),
    STALE,
  )

  return (
    <Dialog title={t('Import a rate sheet into {list}', { list: name })} wide onClose={onClose}>
      {preview === undefined ? (
        <Form
          error={look.error}
          label={t('Choose a file')}
          onSubmit={() => look.mutate(undefined, { onSuccess: setPreview })}
        >
          <FileField
            name="file"
            hint={t(
              'CSV with a header row. Separator: comma, semicolon, tab or pipe. Encoding: UTF-8 or Windows-1252.',
            )}
            accept=".csv,.tsv,.txt,text/csv"
            onChoose={setFile}
          />
          <CheckField
            name="replace"
            label={t('The file is the complete list: remove what it does not name')}
            checked={replace}
            onChange={setReplace}
          />
          <TextField
            name="columns"
            label={t('Columns')}
            hint={t('Only if they are not recognised, such as price=Rate EUR,mccmnc=Network')}
            optional
            value={columns}
            onChange={setColumns}
          />
          <SelectField
            name="date_order"
            label={t('Dates such as 01/12/2026')}
            value={date_order}
            onChange={setDateOrder}
            choices={[
              { value: '', label: t('as the file shows') },
              { value: 'dmy', label: t('day/month/year') },
              { value: 'mdy', label: t('month/day/year') },
            ]}
          />
          <FormActions>
            <Button
              look="main"
              type="submit"
              busy={look.isPending}
              blocked={file === undefined ? t('Choose a file first.') : undefined}
            >
              {t('Preview')}
            </Button>
            <CloseButton />
          </FormActions>
        </Form>
      ) : (
        <Form
          error={apply.error}
          label={t('Preview')}
          onSubmit={() =>
            apply.mutate(undefined, {
              onSuccess: ({ lines }) => {
                say(plural(lines, '{n} line is imported.', '{n} lines are imported.'))
                onClose()
              },
            })
          }
        >
          <Preview result={preview} list={list} currency={currency} />
          {preview.invalid > 0 && (
            <CheckField
              name="skip_invalid"
              label={t('Import the other lines, without the invalid ones')}
              checked={skip_invalid}
              onChange={setSkipInvalid}
            />
          )}
          <FormActions>
            <Button look="main" type="submit" busy={apply.isPending} blocked={whyBlocked(preview, skip_invalid)}>
              {t('Import')}
            </Button>
            <Button onClick={() => setPreview(undefined)}>{t('Back')}</Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

function whyBlocked({ invalid, added, raised, lowered, removed }: ImportAnswer, skip: boolean): string | undefined {
  if (invalid > 0 && !skip) return t('Correct the invalid lines, or leave them out.')
  return added + raised + lowered + removed === 0 ? t('The file changes nothing.') : undefined
}

const KINDS = {
  added: t('added||price'),
  raised: t('raised||price'),
  lowered: t('lowered||price'),
  removed: t('removed||price'),
}
const TONES = { added: 'good', raised: 'warn', lowered: 'good', removed: 'bad' } as const

function Preview({ result, list, currency }: { result: ImportAnswer; list: PriceList; currency: string }) {
  const price = (amount: number | undefined) => (amount === undefined ? '–' : money(amount, currency))
  const columns = Object.entries(result.columns).map(([field, header]) => `${field}: ${header}`)
  return (
    <>
      <DataList
        items={[
          [t('Columns'), columns.join(', ')],
          [t('Added'), number(result.added)],
          [t('Raised||prices'), number(result.raised)],
          [t('Lowered||prices'), number(result.lowered)],
          [t('Removed'), number(result.removed)],
          [t('Unchanged'), number(result.unchanged)],
          [t('Invalid lines'), number(result.invalid)],
          [t('Unknown networks'), number(result.unknown_networks)],
          ...(list.kind === 'price' ? [[t('Below cost'), number(result.below_cost)] as const] : []),
        ]}
      />
      {result.faults.length > 0 && (
        <Table
          label={t('Invalid lines')}
          rows={result.faults}
          rowKey={({ line }) => String(line)}
          columns={[
            { title: t('Line'), number: true, narrow: true, cell: ({ line }) => number(line) },
            { title: t('Fault'), cell: ({ message }) => message },
          ]}
          empty={null}
        />
      )}
      {result.networks.length > 0 && (
        <Table
          label={t('Unknown networks')}
          rows={result.networks}
          rowKey={({ mcc_mnc }) => mcc_mnc}
          columns={[
            { title: t('Line'), number: true, narrow: true, cell: ({ line }) => number(line) },
            { title: t('Network'), narrow: true, cell: ({ mcc_mnc }) => mcc_mnc },
            { title: t('Country'), narrow: true, cell: ({ country }) => country },
            { title: t('Operator of the line'), cell: ({ operator }) => operator ?? '–' },
          ]}
          empty={null}
        />
      )}
      {result.below_cost_prices.length > 0 && <BelowCostPrices result={result} list={list} currency={currency} />}
      <Table
        label={t('Changes||of a price list')}
        rows={result.changes.map((change, index) => ({ ...change, key: String(index) }))}
        rowKey={({ key }) => key}
        columns={[
          {
            title: t('Change||noun'),
            narrow: true,
            cell: ({ kind }) => <Badge status={KINDS[kind]} tone={TONES[kind]} />,
          },
          { title: t('Applies to'), cell: targetName },
          { title: t('Before'), number: true, narrow: true, cell: ({ before }) => price(before) },
          { title: WORDS[list.kind].amount, number: true, narrow: true, cell: (change) => price(change.price) },
          {
            title: t('From||a moment'),
            narrow: true,
            cell: ({ valid_from }) => (valid_from === undefined ? t('now') : <Time at={valid_from} />),
          },
        ]}
        empty={<Empty title={t('The file changes nothing.')}>{t('All its prices are those of the list.')}</Empty>}
      />
    </>
  )
}

/** Prices of the file below what the first carrier of their route charges, and what the list does about them. */
function BelowCostPrices({ result, list, currency }: { result: ImportAnswer; list: PriceList; currency: string }) {
  return (
    <>
      <h3>{t('Prices below cost')}</h3>
      <p>{BELOW_COST[list.below_cost].sentence}</p>
      <Table
        label={t('Prices below cost')}
        rows={result.below_cost_prices.map((one, index) => ({ ...one, key: String(index) }))}
        rowKey={({ key }) => key}
        columns={[
          { title: t('Applies to'), cell: targetName },
          { title: t('Price'), number: true, narrow: true, cell: (one) => money(one.price, currency) },
          { title: t('Cost'), number: true, narrow: true, cell: ({ cost }) => money(cost, currency) },
          { title: t('Carrier'), narrow: true, cell: ({ carrier }) => carrier },
        ]}
        empty={null}
      />
    </>
  )
}
