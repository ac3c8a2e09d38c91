import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { Area } from '../../src/users/schema.ts'
import type { PageProps } from './page-props.ts'
import type { SessionState } from './session.ts'
import { allTexts } from './text/language.ts'
import { t } from './text/text.ts'
import type { IconName } from './ui/Icon.tsx'
import { phoneFormatRead } from './ui/Phone.tsx'

export type PageEntry = {
  path: string
  title: string
  icon: IconName
  view: LazyExoticComponent<ComponentType<PageProps>>
  /** What the page shows. The page is hidden from users without the right to read it. */
  area?: Area
  /** It is only there to change something. */
  changes?: boolean
  /** Only the operators of the installation see it. */
  operator?: boolean
}

export type PageGroup = { title: string; pages: readonly PageEntry[] }

/** Its texts come with those of the first view. */
const FIRST_PAGE = 'start'

const page = (
  path: string,
  title: string,
  icon: IconName,
  load: () => Promise<{ default: ComponentType<PageProps> }>,
  more: Pick<PageEntry, 'area' | 'changes' | 'operator'> = {},
): PageEntry => ({
  path,
  title,
  icon,
  ...more,
  view: lazy(async () => {
    if (path !== FIRST_PAGE) await allTexts()
    const [read] = await Promise.all([load(), phoneFormatRead])
    return read
  }),
})

/** All pages in the order of the navigation. Each is loaded on first use. */
export const GROUPS: readonly PageGroup[] = [
  {
    title: t('Today||group of pages'),
    pages: [
      page('start', t('Start'), 'start', () => import('./pages/start/Start.tsx'), { area: 'sms', changes: true }),
      page('overview', t('Overview'), 'overview', () => import('./pages/overview/Overview.tsx'), { area: 'overview' }),
      page('analytics', t('Analytics'), 'analytics', () => import('./pages/analytics/Analytics.tsx'), {
        area: 'overview',
      }),
    ],
  },
  {
    title: t('Sending||group of pages'),
    pages: [
      page('send', t('Send'), 'send', () => import('./pages/send/Send.tsx'), { area: 'sms', changes: true }),
      page('campaigns', t('Campaigns'), 'campaigns', () => import('./pages/campaigns/Campaigns.tsx'), { area: 'sms' }),
      page('messages', t('Messages'), 'messages', () => import('./pages/messages/Messages.tsx'), { area: 'sms' }),
      page(
        'conversations',
        t('Conversations'),
        'conversations',
        () => import('./pages/conversations/Conversations.tsx'),
        {
          area: 'sms',
        },
      ),
      page('phones', t('Phones'), 'phones', () => import('./pages/phones/Phones.tsx'), { area: 'phones' }),
      page('otp', 'OTP', 'otp', () => import('./pages/otp/Otp.tsx'), { area: 'otp' }),
      page('airtime', t('Airtime'), 'airtime', () => import('./pages/airtime/Airtime.tsx'), { area: 'airtime' }),
    ],
  },
  {
    title: t('People||group of pages'),
    pages: [
      page('contacts', t('Contacts'), 'contacts', () => import('./pages/contacts/Contacts.tsx'), { area: 'lists' }),
      page('optouts', t('Opt-outs'), 'optouts', () => import('./pages/optouts/Optouts.tsx'), { area: 'sms' }),
      page('lookup', t('Lookup'), 'lookup', () => import('./pages/lookup/Lookup.tsx'), { area: 'lookup' }),
    ],
  },
  {
    title: t('Set up||group of pages'),
    pages: [
      page('templates', t('Templates'), 'templates', () => import('./pages/templates/Templates.tsx'), { area: 'sms' }),
      page('senders', t('Senders'), 'senders', () => import('./pages/senders/Senders.tsx'), { area: 'sms' }),
      page('webhooks', t('Webhooks'), 'webhooks', () => import('./pages/webhooks/Webhooks.tsx'), { area: 'callbacks' }),
      page('keys', t('Keys'), 'keys', () => import('./pages/keys/Keys.tsx'), { area: 'keys' }),
      page('requests', t('Requests'), 'requests', () => import('./pages/requests/Requests.tsx'), { area: 'requests' }),
      page('settings', t('Settings'), 'settings', () => import('./pages/settings/Settings.tsx'), { area: 'settings' }),
    ],
  },
  {
    title: t('Administration||group of pages'),
    pages: [
      page(
        'organisations',
        t('Organisations'),
        'organisations',
        () => import('./pages/organisations/Organisations.tsx'),
        {
          operator: true,
        },
      ),
      page('ledger', t('Ledger'), 'ledger', () => import('./pages/ledger/Ledger.tsx'), { area: 'balance' }),
      page('status', t('Status||of the installation'), 'status', () => import('./pages/status/Status.tsx'), {
        operator: true,
      }),
      page('carriers', t('Carriers'), 'carriers', () => import('./pages/carriers/Carriers.tsx'), { operator: true }),
      page('prices', t('Prices'), 'ledger', () => import('./pages/prices/Prices.tsx'), { operator: true }),
      page('costs', t('Costs'), 'ledger', () => import('./pages/costs/Costs.tsx'), { operator: true }),
      page('margins', t('Margins'), 'analytics', () => import('./pages/margins/Margins.tsx'), { operator: true }),
      page('evidence', t('Evidence'), 'checks', () => import('./pages/evidence/Evidence.tsx'), { operator: true }),
      page('probes', t('Probes'), 'probes', () => import('./pages/probes/Probes.tsx'), { operator: true }),
      page('blocklist', t('Block list'), 'optouts', () => import('./pages/blocklist/Blocklist.tsx'), {
        operator: true,
      }),
      page('users', t('Users'), 'users', () => import('./pages/users/Users.tsx'), { area: 'users' }),
      page('audit', t('Audit'), 'audit', () => import('./pages/audit/Audit.tsx'), { area: 'audit' }),
      page('account', t('Your account'), 'account', () => import('./pages/account/Account.tsx')),
    ],
  },
]

export const PAGES: readonly PageEntry[] = GROUPS.flatMap(({ pages }) => pages)

/** Whether the user's role may open the page. */
export function isSeen(
  { area, changes, operator }: PageEntry,
  viewer: Pick<SessionState, 'operator' | 'right'>,
): boolean {
  if (operator && !viewer.operator) return false
  if (area === undefined) return true
  const right = viewer.right(area)
  return right === 'change' || (right === 'read' && !changes)
}
