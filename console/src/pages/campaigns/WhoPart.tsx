import type { ReactNode } from 'react'
import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { number, plural, Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments, SelectField } from '../../ui/fields.tsx'
import { written } from '../../ui/date/formats.ts'
import { DAY, takesList, type Filter, type Group } from '../contacts/contacts.ts'
import { verbOf } from '../contacts/words.ts'
import type { CampaignDraft } from './campaigns.ts'
import { FilePart } from './FilePart.tsx'

type Props = { draft: CampaignDraft; change: (part: Partial<CampaignDraft>) => void }

type FileProps = { id: string; uploaded: number; save: () => Promise<void> }

/** To whom: a smartlist, with filters beside its own, or a file. */
export function WhoPart({ draft, change, count, ...file }: Props & FileProps & { count: number | undefined }) {
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
      {draft.audience === 'smartlist' ? <SmartlistPart draft={draft} change={change} /> : <FilePart {...file} />}
      <p role="status" className="campaign-size">
        {count === undefined
          ? t('Counting the recipients…')
          : plural(count, '{n} recipient before the check', '{n} recipients before the check')}
      </p>
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
  const filters = useFilterWords(draft.filters)
  return (
    <p>
      {t('Only those where {filters}.', { filters })}{' '}
      <Button look="bare" onClick={() => change({ filters: [] })}>
        {t('Send to the whole list')}
      </Button>
    </p>
  )
}

/** The filters of an audience in words. */
export function useFilterWords(filters: readonly Group[]): string {
  const table = useRead(filters.length === 0 ? null : '/lists/contact')
  const inWords = (filter: Filter): string => {
    const column = table.data?.columns.find(({ id }) => id === filter.column_id)
    const value = takesList(filter.operator) ? filter.value : valueWords(filter.value, column?.type)
    const words = { column: column?.name ?? t('a column'), verb: verbOf(filter.operator), value }
    return filter.value ? t('{column} {verb} “{value}”', words) : t('{column} {verb}', words)
  }
  const either = (group: Group): string => group.map(inWords).join(` ${t('or')} `)
  return filters.map(either).join(`, ${t('and')} `)
}

/** Days and numbers as the language writes them. */
function valueWords(value: string, type: string | undefined): string {
  if (type === 'DATE' && value !== '' && DAY.test(value)) return written(Date.parse(value), 'date', 'UTC')
  return type === 'NUMBER' && value !== '' && !Number.isNaN(Number(value)) ? number(Number(value)) : value
}
