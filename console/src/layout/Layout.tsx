import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useAway, useConnectionWatch } from '../connection.ts'
import { isSeen, PAGES, type PageEntry } from '../pages.ts'
import { go, useRoute } from '../router.tsx'
import { useSession } from '../session.ts'
import { allTexts } from '../text/language.ts'
import { Rich, t } from '../text/text.ts'
import { Button, IconButton, ReadOnly } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Empty, Loading } from '../ui/Empty.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Page } from '../ui/Page.tsx'
import { Account } from './Account.tsx'
import { AwayBanner } from './AwayBanner.tsx'
import { LowBalance } from './LowBalance.tsx'
import { OutcomesBanner } from './OutcomesBanner.tsx'
import { BottomBar, Navigation } from './Navigation.tsx'
import { PageFault } from './PageFault.tsx'
import { useShortcuts } from './shortcuts.ts'

const Palette = lazy(async () => {
  await allTexts()
  return import('./palette/Palette.tsx')
})

/** Navigation beside the page on a desk, folded to its icons where that is narrow; above and below it on a phone. */
export function Layout() {
  const { segments } = useRoute()
  const viewer = useSession()
  const { session, organisation } = viewer
  const [menu, setMenu] = useState(false)
  const [searching, setSearching] = useState(false)
  const search = useCallback(() => setSearching(true), [])
  const main = useRef<HTMLElement>(null)
  // Users who may not send messages begin with the first page they can see instead of Start.
  const name = segments[0] ?? PAGES.find((page) => isSeen(page, viewer))?.path ?? ''
  const entry = PAGES.find((page) => page.path === name && isSeen(page, viewer))
  const mode = session.sandbox ? t('Sandbox') : organisation.mode === 'test' ? t('Test||mode') : undefined
  const away = useAway()
  useConnectionWatch()
  useShortcuts(search)
  useEffect(() => setMenu(false), [name])
  return (
    <div className={away ? 'layout away' : 'layout'}>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t('Skip to content')}
      </a>
      <aside className="sidebar">
        <Brand mode={mode} />
        <SearchButton onClick={search} />
        <Navigation current={name} label={t('Pages')} />
        <Account />
        <span className="unfold">
          <IconButton label={t('Menu')} icon="menu" onClick={() => setMenu(true)} />
        </span>
      </aside>
      <header className="topbar">
        <Brand mode={mode} />
        <span className="grow" />
        <IconButton label={t('Search')} icon="lookup" onClick={search} />
        <IconButton label={t('Menu')} icon="menu" onClick={() => setMenu(true)} />
      </header>
      <main ref={main} id="main" tabIndex={-1} key={organisation.id}>
        {away && <AwayBanner away={away} />}
        <OutcomesBanner />
        {organisation.suspended_datetime !== undefined && <Suspended name={organisation.name} />}
        {viewer.right('balance') !== 'none' && <LowBalance />}
        <PageFault key={name}>
          <Suspense fallback={<Loading page />}>
            <ReadOnly value={entry?.area !== undefined && viewer.right(entry.area) === 'read'}>
              <View entry={entry} rest={segments.slice(1)} />
            </ReadOnly>
          </Suspense>
        </PageFault>
      </main>
      <BottomBar current={name} onMore={() => setMenu(true)} />
      {menu && (
        <Dialog title={t('Menu')} drawer onClose={() => setMenu(false)}>
          <Navigation current={name} label={t('All pages')} />
          <Account />
        </Dialog>
      )}
      {searching && (
        <PageFault>
          <Suspense>
            <Palette onClose={() => setSearching(false)} />
          </Suspense>
        </PageFault>
      )}
    </div>
  )
}

const APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="search-button"
      title={t('Search')}
      aria-keyshortcuts="Meta+K Control+K"
      onClick={onClick}
    >
      <Icon name="lookup" />
      <span className="grow">{t('Search')}</span>
      <kbd aria-hidden="true">{APPLE ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  )
}

function View({ entry, rest }: { entry: PageEntry | undefined; rest: string[] }) {
  if (entry) return <entry.view rest={rest} />
  return (
    <Page title={t('There is no such page')}>
      <Empty title={t('The address may be wrong, or your role may not have access.')}>
        <Button onClick={() => go('/')}>{t('Go to the start')}</Button>
      </Empty>
    </Page>
  )
}

function Suspended({ name }: { name: string }) {
  return (
    <div className="banner" role="status">
      <p>
        <Rich
          text="<b>{name} is suspended.</b> It cannot send messages, and its users have read-only access, until the operator reactivates it."
          values={{ name }}
          b={(inner) => <b>{inner}</b>}
        />
      </p>
    </div>
  )
}

/** Marks the sandbox beside the name, so that it is not mistaken for production. */
function Brand({ mode }: { mode: string | undefined }) {
  return (
    <div className="brand-row">
      <a className="brand" href="#/">
        <img src="/console/drum.svg" alt="" width="24" height="24" />
        <span>Gangan</span>
      </a>
      {mode !== undefined && (
        <a className="brand-mode" href="#/phones" title={t('All messages arrive on virtual phones.')}>
          {mode}
        </a>
      )}
    </div>
  )
}
