import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { useRead } from '../../read.ts'
import { useOrganisationId } from '../../session.ts'
import { finished } from '../contacts/contacts.ts'
import { CAMPAIGNS, type CampaignDraft } from './campaigns.ts'

/** A recipient with the values of its placeholders, by their names in lower case. */
export type Recipient = { number: string; values: Record<string, string> }

export type Audience = {
  /** How many there are, before the estimate leaves some out; undefined while it is counted. */
  count: number | undefined
  /** The first of them. */
  recipients: readonly Recipient[]
  /** What placeholders can be filled from. */
  columns: readonly string[]
}

const SHOWN = 20
const NO_AUDIENCE: Audience = { count: 0, recipients: [], columns: [] }

/** The size of the audience as it is chosen now, and the first recipients for the preview. */
export function useAudience(id: string, draft: CampaignDraft, uploaded: number): Audience {
  const by_list = draft.audience === 'smartlist'
  const list = useSmartlist(by_list ? draft : undefined)
  const file = useRead(
    by_list || uploaded === 0 ? null : `${CAMPAIGNS}/${id}/recipients?outcome=uploaded&limit=${SHOWN}`,
  )
  if (by_list) return draft.smartlist_id === '' ? NO_AUDIENCE : (list ?? { ...NO_AUDIENCE, count: undefined })
  const recipients = (file.data?.recipients ?? []).map(({ recipient, substitutions = {} }) => {
    return { number: recipient, values: substitutions }
  })
  const columns = [...new Set(recipients.flatMap(({ values }) => Object.keys(values)))]
  return { count: uploaded, recipients, columns }
}

function useSmartlist(draft: CampaignDraft | undefined): Audience | undefined {
  const organisation_id = useOrganisationId()
  const table = useRead(draft === undefined ? null : '/lists/contact')
  const asked = { smartlist_id: draft?.smartlist_id, filters: finished(draft?.filters ?? []), limit: SHOWN }
  const found = useQuery({
    queryKey: [organisation_id, '/lists/contact/rows/query', asked],
    queryFn: ({ signal }) => call('POST', '/lists/contact/rows/query', asked, { signal }),
    enabled: Boolean(draft?.smartlist_id),
    placeholderData: keepPreviousData,
  })
  if (!found.data || !table.data) return undefined
  const columns = table.data.columns
  const phone = columns.find(({ type }) => type === 'PHONE NUMBER')
  return {
    count: found.data.meta.pagination.count_total,
    columns: columns.map(({ name }) => name),
    recipients: found.data.rows.map(({ columns: cells }) => ({
      number: (phone && cells[phone.id]) ?? '',
      values: Object.fromEntries(columns.map(({ id, name }) => [name.trim().toLowerCase(), cells[id] ?? ''])),
    })),
  }
}
