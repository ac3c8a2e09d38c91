import type { ReactNode } from 'react'
import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { number, Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaField, Segments, SelectField } from '../../ui/fields.tsx'
import { Field } from '../../ui/Form.tsx'
import type { Filter, Group } from '../contacts/contacts.ts'
import { verbOf } from '../contacts/words.ts'
import type { CampaignDraft } from './campaigns.ts'

type Props = { draft: CampaignDraft; change: (part: Partial<CampaignDraft>) => void }

/** To whom: a smartlist, with filters beside its own, or a file. */
export function WhoPart({ draft, change, uploaded }: Props & { uploaded: number }) {
  return (
    <div className="stack campaign-who">
      <Segments
        label={t('Recipients from')}
        value={draft.audience}
        onChange={(audience) => change({ audience })}
        choices={[
          { value: 'smartlist', label: t('A smartlist') },
          { value: 'file', label: t('A file or numbers') },
        ]}
      />
      {draft.audience === 'smartlist' ? (
        <SmartlistPart draft={draft} change={change} />
      ) : (
        <FilePart draft={draft} change={change} uploaded={uploaded} />
      )}
    </div>
  )
}

function SmartlistPart({ draft, change }: Props) {
  const found = useRead('/lists/contact/smartlists?limit=200')
  const smartlists = found.data?.smartlists ?? []
  return (
    <>
      <SelectField
        name="smartlist_id"
        label={t('Smartlist')}
        value={draft.smartlist_id}
        onChange={(smartlist_id) => change({ smartlist_id, filters: [] })}
        hint={
          found.data && smartlists.length === 0 ? (
            <Rich
              text="There is none yet. Filter your <link>contacts</link> and save the filter."
              link={(inner: ReactNode) => <Link to="/contacts">{inner}</Link>}
            />
          ) : (
            t('{{Name}} in the text is filled from the column of that name.')
          )
        }
        choices={[
          { value: '', label: t('Choose one') },
          ...smartlists.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {draft.filters.length > 0 && <Narrowed draft={draft} change={change} />}
    </>
  )
}

/** The filters added to the smartlist under Contacts. */
function Narrowed({ draft, change }: Props) {
  const table = useRead('/lists/contact')
  const nameOf = ({ column_id }: Filter): string =>
    table.data?.columns.find(({ id }) => id === column_id)?.name ?? t('a column')
  const inWords = (filter: Filter): string => {
    const words = { column: nameOf(filter), verb: verbOf(filter.operator), value: filter.value }
    return filter.value ? t('{column} {verb} “{value}”', words) : t('{column} {verb}', words)
  }
  const either = (group: Group): string => group.map(inWords).join(` ${t('or')} `)
  return (
    <p>
      {t('Only those where {filters}.', { filters: draft.filters.map(either).join(`, ${t('and')} `) })}{' '}
      <Button look="bare" onClick={() => change({ filters: [] })}>
        {t('Send to the whole list')}
      </Button>
    </p>
  )
}

function FilePart({ draft, change, uploaded }: Props & { uploaded: number }) {
  async function read(file: File | undefined) {
    if (file) change({ csv: await file.text(), file_name: file.name })
  }
  return (
    <>
      <Field
        name="csv"
        label={t('File')}
        hint={t(
          'CSV with column names in the first row. One column holds the phone numbers; the others fill {{placeholders}}.',
        )}
      >
        {(control) => (
          <input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            {...control}
            onChange={(event) => void read(event.target.files?.[0])}
          />
        )}
      </Field>
      {draft.file_name === '' && (
        <AreaField
          name="recipients"
          label={t('Or numbers')}
          optional
          rows={3}
          spellCheck={false}
          placeholder={'08031234567\n08051234567'}
          hint={
            uploaded > 0 && draft.csv === ''
              ? t('{n} are uploaded. Uploading again replaces them.', { n: number(uploaded) })
              : t('One on each line.')
          }
          value={draft.csv}
          onChange={(csv) => change({ csv })}
        />
      )}
    </>
  )
}
