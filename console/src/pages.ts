import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { Area } from '../../src/users/schema.ts'
import type { SessionState } from './session.ts'
import type { IconName } from './ui/Icon.tsx'
import { phoneFormatRead } from './ui/Phone.tsx'

/** A page gets the rest of its path: on `#/messages/0193…` the page `messages` gets `['0193…']`. */
export type PageProps = { rest: string[] }

export type PageEntry = {
  path: string
  title: string
  icon: IconName
  view: LazyExoticComponent<ComponentType<PageProps>>
  /** What it shows. Who has no right to read that does not see the page. */
  area?: Area
  /** It is only there to change something. */
  changes?: boolean
  /** Only the operators of the installation see it. */
  operator?: boolean
}

export type PageGroup = { title: string; pages: readonly PageEntry[] }

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
    const [read] = await Promise.all([load(), phoneFormatRead])
    return read
  }),
})

/** Every page there is, in the order of the navigation. Each is fetched when it is first looked at. */
export const GROUPS: readonly PageGroup[] = [
  {
    title: 'Today',
    pages: [
      page('start', 'Start', 'start', () => import('./pages/start/Start.tsx'), { area: 'keys' }),
      page('overview', 'Overview', 'overview', () => import('./pages/overview/Overview.tsx'), { area: 'overview' }),
    ],
  },
  {
    title: 'Sending',
    pages: [
      page('send', 'Send', 'send', () => import('./pages/send/Send.tsx'), { area: 'sms', changes: true }),
      page('campaigns', 'Campaigns', 'campaigns', () => import('./pages/campaigns/Campaigns.tsx'), { area: 'sms' }),
      page('messages', 'Messages', 'messages', () => import('./pages/messages/Messages.tsx'), { area: 'sms' }),
      page('phones', 'Phones', 'phones', () => import('./pages/phones/Phones.tsx'), { area: 'phones' }),
      page('otp', 'OTP', 'otp', () => import('./pages/otp/Otp.tsx'), { area: 'otp' }),
      page('airtime', 'Airtime', 'airtime', () => import('./pages/airtime/Airtime.tsx'), { area: 'airtime' }),
    ],
  },
  {
    title: 'People',
    pages: [
      page('contacts', 'Contacts', 'contacts', () => import('./pages/contacts/Contacts.tsx'), { area: 'lists' }),
      page('optouts', 'Opt-outs', 'optouts', () => import('./pages/optouts/Optouts.tsx'), { area: 'sms' }),
      page('lookup', 'Lookup', 'lookup', () => import('./pages/lookup/Lookup.tsx'), { area: 'lookup' }),
    ],
  },
  {
    title: 'Set up',
    pages: [
      page('templates', 'Templates', 'templates', () => import('./pages/templates/Templates.tsx'), { area: 'sms' }),
      page('senders', 'Senders', 'senders', () => import('./pages/senders/Senders.tsx'), { area: 'sms' }),
      page('webhooks', 'Webhooks', 'webhooks', () => import('./pages/webhooks/Webhooks.tsx'), { area: 'callbacks' }),
      page('keys', 'Keys', 'keys', () => import('./pages/keys/Keys.tsx'), { area: 'keys' }),
      page('settings', 'Settings', 'settings', () => import('./pages/settings/Settings.tsx'), { area: 'settings' }),
    ],
  },
  {
    title: 'Administration',
    pages: [
      page('organisations', 'Organisations', 'organisations', () => import('./pages/organisations/Organisations.tsx'), {
        operator: true,
      }),
      page('ledger', 'Ledger', 'ledger', () => import('./pages/ledger/Ledger.tsx'), { area: 'balance' }),
      page('carriers', 'Carriers', 'carriers', () => import('./pages/carriers/Carriers.tsx'), { operator: true }),
      page('users', 'Users', 'users', () => import('./pages/users/Users.tsx'), { area: 'users' }),
      page('audit', 'Audit', 'audit', () => import('./pages/audit/Audit.tsx'), { area: 'audit' }),
      page('account', 'Your account', 'account', () => import('./pages/account/Account.tsx')),
    ],
  },
]

export const PAGES: readonly PageEntry[] = GROUPS.flatMap(({ pages }) => pages)

/** Whether somebody sees the page at all. */
export function isSeen(
  { area, changes, operator }: PageEntry,
  viewer: Pick<SessionState, 'operator' | 'right'>,
): boolean {
  if (operator && !viewer.operator) return false
  if (area === undefined) return true
  const right = viewer.right(area)
  return right === 'change' || (right === 'read' && !changes)
}
