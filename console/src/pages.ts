import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { IconName } from './ui/Icon.tsx'

/** A page gets the rest of its path: on `#/messages/0193…` the page `messages` gets `['0193…']`. */
export type PageProps = { rest: string[] }

export type PageEntry = {
  path: string
  title: string
  icon: IconName
  view: LazyExoticComponent<ComponentType<PageProps>>
  /** Only the operators of the installation see it. */
  operator?: boolean
}

export type PageGroup = { title: string; pages: readonly PageEntry[] }

const page = (
  path: string,
  title: string,
  icon: IconName,
  load: () => Promise<{ default: ComponentType<PageProps> }>,
) => ({
  path,
  title,
  icon,
  view: lazy(load),
})

/** Every page there is, in the order of the navigation. Each is fetched when it is first looked at. */
export const GROUPS: readonly PageGroup[] = [
  {
    title: 'Today',
    pages: [
      page('start', 'Start', 'start', () => import('./pages/start/Start.tsx')),
      page('overview', 'Overview', 'overview', () => import('./pages/overview/Overview.tsx')),
    ],
  },
  {
    title: 'Sending',
    pages: [
      page('send', 'Send', 'send', () => import('./pages/send/Send.tsx')),
      page('campaigns', 'Campaigns', 'campaigns', () => import('./pages/campaigns/Campaigns.tsx')),
      page('messages', 'Messages', 'messages', () => import('./pages/messages/Messages.tsx')),
      page('phones', 'Phones', 'phones', () => import('./pages/phones/Phones.tsx')),
      page('otp', 'OTP', 'otp', () => import('./pages/otp/Otp.tsx')),
      page('airtime', 'Airtime', 'airtime', () => import('./pages/airtime/Airtime.tsx')),
    ],
  },
  {
    title: 'People',
    pages: [
      page('contacts', 'Contacts', 'contacts', () => import('./pages/contacts/Contacts.tsx')),
      page('optouts', 'Opt-outs', 'optouts', () => import('./pages/optouts/Optouts.tsx')),
      page('lookup', 'Lookup', 'lookup', () => import('./pages/lookup/Lookup.tsx')),
    ],
  },
  {
    title: 'Set up',
    pages: [
      page('templates', 'Templates', 'templates', () => import('./pages/templates/Templates.tsx')),
      page('senders', 'Senders', 'senders', () => import('./pages/senders/Senders.tsx')),
      page('webhooks', 'Webhooks', 'webhooks', () => import('./pages/webhooks/Webhooks.tsx')),
      page('keys', 'Keys', 'keys', () => import('./pages/keys/Keys.tsx')),
      page('settings', 'Settings', 'settings', () => import('./pages/settings/Settings.tsx')),
    ],
  },
  {
    title: 'Administration',
    pages: [
      page('ledger', 'Ledger', 'ledger', () => import('./pages/ledger/Ledger.tsx')),
      { ...page('carriers', 'Carriers', 'carriers', () => import('./pages/carriers/Carriers.tsx')), operator: true },
      page('users', 'Users', 'users', () => import('./pages/users/Users.tsx')),
      page('audit', 'Audit', 'audit', () => import('./pages/audit/Audit.tsx')),
      page('account', 'Your account', 'account', () => import('./pages/account/Account.tsx')),
    ],
  },
]

export const PAGES: readonly PageEntry[] = GROUPS.flatMap(({ pages }) => pages)
