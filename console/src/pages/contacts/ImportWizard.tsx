import { useState } from 'react'
import { call, withQuery } from '../../api.ts'
import { useRefresh, useWrite } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { CheckField, SelectField } from '../../ui/fields.tsx'
import { FileField } from '../../ui/FileField.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { CONTACT, type ContactTable } from './contacts.ts'
import { AS_DETECTED, type Typed } from './ImportTypes.tsx'
import { ImportProgress, IMPORTS } from './ImportProgress.tsx'

function asText(chosen: Readonly<Record<string, string>>): string {
  return Object.keys(chosen).length === 0 ? '' : JSON.stringify(chosen)
}

const EVERY_LINE_IS_NEW = 'never'

/** Choose a file, see what would come of it, change where its fields go, then do it. */
export function ImportWizard({ table, onClose }: { table: ContactTable; onClose: () => void }) {
  const refresh = useRefresh()
  const [file, setFile] = useState<File>()
  const [same, setSame] = useState('')
  const [new_columns, setNewColumns] = useState(true)
  /** Headers mapped by the user; the service guesses the others. */
  const [mapping, setMapping] = useState<Record<string, string>>({})
  /** Types and formats chosen by the user, by header; the service detects the others. */
  const [typed, setTyped] = useState<Typed>(AS_DETECTED)
  const start = useWrite(
    (dry_run: boolean) =>
      call(
        'POST',
        withQuery(IMPORTS, {
          dry_run: String(dry_run),
          ...(same === EVERY_LINE_IS_NEW ? { allow_duplicates: 'true' } : { upsert_by: same }),
          new_columns: String(new_columns),
          mapping: asText(mapping),
          types: asText(typed.types),
          formats: asText(typed.formats),
          detect: 'likely',
        }),
        file ?? new Blob(['']),
        { content_type: 'text/csv' },
      ),
    [IMPORTS],
  )
  const [begun, setBegun] = useState<typeof start.data>()
  const begin = (dry_run: boolean) => start.mutate(dry_run, { onSuccess: setBegun })
  function leave() {
    refresh(CONTACT, '/console/api/checklist')
    onClose()
  }
  function again() {
    setBegun(undefined)
    setMapping({})
    setTyped(AS_DETECTED)
  }
  const columns_of = table.columns.map(({ id, name }) => ({ value: id, label: t('in {column}', { column: name }) }))
  return (
    <Dialog title={t('Import contacts')} wide onClose={leave}>
      {begun === undefined ? (
        <Form error={start.error} onSubmit={() => begin(true)} label={t('Choose a file')}>
          <FileField
            name="csv"
            hint={t(
              'CSV with a header row. Separator: comma, semicolon, tab or pipe. Encoding: UTF-8 or Windows-1252.',
            )}
            accept=".csv,.tsv,.txt,text/csv"
            onChoose={setFile}
          />
          <SelectField
            name="upsert_by"
            label={t('A row with the same value updates the contact')}
            value={same}
            onChange={setSame}
            choices={[
              { value: '', label: t('in the phone number') },
              ...columns_of,
              { value: EVERY_LINE_IS_NEW, label: t('never: every line is a new contact') },
            ]}
          />
          <CheckField
            name="new_columns"
            label={t('Unknown headers create new columns')}
            checked={new_columns}
            onChange={setNewColumns}
          />
          <FormActions>
            <Button
              look="main"
              type="submit"
              busy={start.isPending}
              blocked={file ? undefined : t('Choose a file first.')}
            >
              {t('Check the file')}
            </Button>
            <CloseButton />
          </FormActions>
        </Form>
      ) : (
        <ImportProgress
          key={begun.id}
          begun={begun}
          table={table}
          mapping={mapping}
          onMap={(header, column) => setMapping({ ...mapping, [header]: column })}
          typed={typed}
          onType={setTyped}
          error={start.error}
          busy={start.isPending}
          onBegin={begin}
          onAgain={again}
          onDone={leave}
        />
      )}
    </Dialog>
  )
}
