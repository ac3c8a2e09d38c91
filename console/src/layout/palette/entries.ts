import { GROUPS, isSeen, PAGES } from '../../pages.ts'
import type { ShownOrganisation } from '../../api-types.ts'
import type { SessionState } from '../../session.ts'
import { t } from '../../text/text.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { setTheme } from '../theme.ts'
import type { Entry } from './entry.ts'

type Action = { title: string; icon: IconName; page: string; to: string; words?: string }

/** Actions available everywhere. Each belongs to a page and requires its right to change. */
const ACTIONS: readonly Action[] = [
  {
    title: t('Send a message'),
    icon: 'send',
    page: 'send',
    to: '/send',
    words: t('sms whatsapp text write||words to find it by'),
  },
  {
    title: t('New campaign'),
    icon: 'campaigns',
    page: 'campaigns',
    to: '/campaigns/new',
    words: t('create bulk||words to find it by'),
  },
  {
    title: t('Request a one-time password'),
    icon: 'otp',
    page: 'otp',
    to: '/otp?new=yes',
    words: t('otp token code||words to find it by'),
  },
  {
    title: t('Buy airtime'),
    icon: 'airtime',
    page: 'airtime',
    to: '/airtime?new=yes',
    words: t('recharge top-up data||words to find it by'),
  },
  {
    title: t('New key'),
    icon: 'keys',
    page: 'keys',
    to: '/keys?new=yes',
    words: t('create api token secret||words to find it by'),
  },
  {
    title: t('New template'),
    icon: 'templates',
    page: 'templates',
    to: '/templates/new',
    words: t('create text||words to find it by'),
  },
  {
    title: t('Register a webhook'),
    icon: 'webhooks',
    page: 'webhooks',
    to: '/webhooks?new=yes',
    words: t('new callback||words to find it by'),
  },
  {
    title: t('Register a sender'),
    icon: 'senders',
    page: 'senders',
    to: '/senders?new=yes',
    words: t('new sender id name||words to find it by'),
  },
  {
    title: t('Invite a user'),
    icon: 'users',
    page: 'users',
    to: '/users?new=yes',
    words: t('new user colleague||words to find it by'),
  },
  {
    title: t('New organisation'),
    icon: 'organisations',
    page: 'organisations',
    to: '/organisations?new=yes',
    words: t('create customer||words to find it by'),
  },
  {
    title: t('New plan of probes'),
    icon: 'probes',
    page: 'probes',
    to: '/probes?new=yes',
    words: t('create probe test carrier||words to find it by'),
  },
  {
    title: t('Top up a balance'),
    icon: 'ledger',
    page: 'organisations',
    to: '/organisations',
    words: t('credit money||words to find it by'),
  },
]

type Viewer = Pick<SessionState, 'operator' | 'right'>

export function actionEntries(viewer: Viewer): Entry[] {
  return ACTIONS.filter(({ page }) => mayChange(page, viewer)).map(({ page: _page, ...action }) => ({
    id: `action ${action.title}`,
    ...action,
  }))
}

function mayChange(path: string, viewer: Viewer): boolean {
  const page = PAGES.find((one) => one.path === path)
  if (!page || !isSeen(page, viewer)) return false
  return page.area === undefined || viewer.right(page.area) === 'change'
}

export function pageEntries(viewer: Viewer): Entry[] {
  const pages = GROUPS.flatMap((group) =>
    group.pages
      .filter((page) => isSeen(page, viewer))
      .map(({ path, title, icon }) => ({ id: `page ${path}`, title, icon, detail: group.title, to: `/${path}` })),
  )
  return [
    ...pages,
    {
      id: 'docs',
      title: t('API reference'),
      icon: 'templates',
      words: t('docs help||words to find it by'),
      run: openReference,
    },
  ]
}

function openReference(): void {
  location.assign('/docs')
}

/** Other organisations, and the test organisations of each. */
export function organisationEntries(
  organisations: readonly ShownOrganisation[],
  current_id: string,
  look: (organisation: ShownOrganisation, id: string) => void,
): Entry[] {
  return organisations
    .flatMap((organisation) => [
      { organisation, id: organisation.id, title: organisation.name },
      { organisation, id: organisation.test_id, title: t('{name} (test)', { name: organisation.name }) },
    ])
    .filter(({ id }) => id !== current_id)
    .map(({ organisation, id, title }) => ({
      id: `organisation ${id}`,
      title,
      icon: 'organisations' as const,
      detail: t('Switch to it'),
      run: () => look(organisation, id),
    }))
}

/** The colours of the console, for this browser. */
export function themeEntries(): Entry[] {
  const words = t('theme colours night appearance||words to find it by')
  return [
    { id: 'action dark', title: t('Dark mode'), icon: 'moon', words, run: () => setTheme('dark') },
    { id: 'action light', title: t('Light mode'), icon: 'sun', words, run: () => setTheme('light') },
  ]
}
