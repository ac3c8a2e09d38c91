import { useQuery } from '@tanstack/react-query'
import type { ContactTable } from '../../../../clients/typescript/src/types.ts'
import type { FoundMessage, ShownOrganisation } from '../../api-types.ts'
import { ApiError, call, withQuery } from '../../api.ts'
import { useSession, useTake } from '../../session.ts'
import { useSettled } from '../../settled.ts'
import { plural, t } from '../../text/text.ts'
import { phoneText, typedNumber } from '../../ui/Phone.tsx'
import { useZone } from '../../ui/date/zone.ts'
import { shortTime } from '../../ui/Time.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { organisationEntries } from './entries.ts'
import type { Entry } from './entry.ts'

const TYPING_MS = 200
const SHORTEST = 3
const AT_MOST = 5
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Found = Record<'named' | 'messages' | 'contacts' | 'organisations', Entry[]> & { searching: boolean }

/** Everything that matches the input; for operators, other organisations, too. A superseded request is aborted. */
export function useSearch(typed: string): Found {
  const { organisation, operator, right } = useSession()
  const lookAt = useTake()
  const zone = useZone()
  const text = useSettled(typed.trim(), TYPING_MS)
  const worth = text.length >= SHORTEST
  const messages = useQuery<Entry[], ApiError>({
    queryKey: [organisation.id, 'palette messages', text],
    queryFn: ({ signal }) => findMessages(text, zone, signal),
    enabled: worth && right('sms') !== 'none',
    retry: false,
  })
  const contacts = useQuery<Entry[], ApiError>({
    queryKey: [organisation.id, 'palette contacts', text],
    queryFn: ({ signal }) => findContacts(text, organisation.default_country, signal),
    enabled: worth && right('lists') !== 'none',
    retry: false,
  })
  const named = useQuery<Entry[], ApiError>({
    queryKey: [organisation.id, 'palette names', text],
    queryFn: ({ signal }) => findNamed(text, right('sms') === 'change', signal),
    enabled: worth,
    retry: false,
  })
  const others = useQuery<ShownOrganisation[], ApiError>({
    queryKey: [organisation.id, 'palette organisations', text],
    queryFn: ({ signal }) => findOrganisations(text, signal),
    enabled: worth && operator,
    retry: false,
  })
  return {
    named: (worth && named.data) || [],
    organisations: organisationEntries((worth && others.data) || [], organisation.id, lookAt),
    messages: (worth && messages.data) || [],
    contacts: (worth && contacts.data) || [],
    searching:
      typed.trim().length >= SHORTEST &&
      (text !== typed.trim() || [messages, contacts, named, others].some((one) => one.isFetching)),
  }
}

/** Campaigns, templates, smartlists (to write a campaign to one) and senders, by a part of the name. */
async function findNamed(text: string, may_send: boolean, signal: AbortSignal): Promise<Entry[]> {
  const found = await call('GET', withQuery('/console/api/search', { text }), undefined, { signal })
  const entries = (
    kind: keyof typeof found,
    { icon, detail, to }: { icon: IconName; detail: string; to: (id: string) => string },
  ) => found[kind].map(({ id, name }) => ({ id: `${kind} ${id}`, title: name, icon, detail, to: to(id) }))
  return [
    ...entries('campaigns', { icon: 'campaigns', detail: t('Campaign'), to: (id) => `/campaigns/${id}` }),
    ...entries('templates', { icon: 'templates', detail: t('Template'), to: (id) => `/templates/${id}` }),
    ...entries('smartlists', {
      icon: 'contacts',
      detail: t('Smartlist'),
      to: (id) => (may_send ? `/campaigns/new?smartlist=${id}` : '/contacts'),
    }),
    ...entries('senders', { icon: 'senders', detail: t('Sender'), to: () => '/senders' }),
  ]
}

async function findOrganisations(search: string, signal: AbortSignal): Promise<ShownOrganisation[]> {
  const path = withQuery('/console/api/organisations', { search, limit: AT_MOST })
  return (await call('GET', path, undefined, { signal })).organisations
}

/** By the id, the number, or a part of the reference. */
async function findMessages(text: string, zone: string, signal: AbortSignal): Promise<Entry[]> {
  if (!ID.test(text)) {
    const path = withQuery('/console/api/messages', { text, limit: AT_MOST })
    return (await call('GET', path, undefined, { signal })).messages.map((message) => messageEntry(message, zone))
  }
  try {
    const { message } = await call('GET', `/console/api/messages/${text.toLowerCase()}?limit=1`, undefined, { signal })
    return [messageEntry(message, zone)]
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 404) return []
    throw fault
  }
}

function messageEntry(
  { id, content, match, recipients, recipients_total, ...message }: FoundMessage,
  zone: string,
): Entry {
  const shown = match?.recipient ?? recipients[0]
  const time = shortTime(new Date(message.created_datetime), zone, false)
  return {
    id: `message ${id}`,
    icon: 'messages',
    title: content ?? message.external_ref ?? t('A message'),
    detail: shown === undefined ? time : detailOf(phoneText(shown), recipients_total - 1, time),
    to: match ? `/messages/${id}/${match.recipient}` : `/messages/${id}`,
  }
}

function detailOf(phone: string, others: number, time: string): string {
  if (others < 1) return t('{phone}, {time}', { phone, time })
  return plural(others, '{phone} and {n} more, {time}||one', '{phone} and {n} more, {time}', { phone, time })
}

/** By what stands in any cell or, where only a number is typed, by a part of the number. */
async function findContacts(text: string, country: string, signal: AbortSignal): Promise<Entry[]> {
  const table = await call('GET', '/lists/contact', undefined, { signal })
  const { name, phone } = columnsOf(table)
  const by_number = /^[\d\s()+-]+$/.test(text)
  if (by_number && !phone) return []
  const digits = text.replace(/\D/g, '').replace(/^0/, '')
  const asked = by_number
    ? { filters: [{ column_id: phone?.id, operator: 'contain', value: digits }] }
    : { search: text }
  const { rows } = await call('POST', '/lists/contact/rows/query', { ...asked, limit: AT_MOST }, { signal })
  return rows.map(({ id, columns }) => {
    // A cell keeps a number as it was typed.
    const typed = phone && columns[phone.id]
    const number = typed === undefined ? undefined : phoneText(typedNumber(typed, country) ?? typed)
    return {
      id: `contact ${id}`,
      icon: 'contacts' as const,
      title: (name && columns[name.id]) ?? number ?? t('A contact'),
      detail: number,
      to: `/contacts/${id}`,
    }
  })
}

/** The column called Name, or else the first of texts; and the first of numbers. */
function columnsOf({ columns }: ContactTable) {
  const texts = columns.filter(({ type }) => type === 'TEXT')
  return {
    name: texts.find(({ name }) => /name/i.test(name)) ?? texts[0],
    phone: columns.find(({ type }) => type === 'PHONE NUMBER'),
  }
}
