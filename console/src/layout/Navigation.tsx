import { useEffect, useRef } from 'react'
import { GROUPS, isSeen, PAGES } from '../pages.ts'
import { Link } from '../router.tsx'
import { useSession } from '../session.ts'
import { t } from '../text/text.ts'
import { Icon } from '../ui/Icon.tsx'
import { UnreadCount } from './UnreadCount.tsx'

const COUNTED = 'conversations'

/** All pages in their groups. */
export function Navigation({ current, label }: { current: string; label: string }) {
  const viewer = useSession()
  const whole = useRef<HTMLElement>(null)
  // On a low screen not all pages fit, and one may be opened by its address. The menu of a phone begins at its beginning.
  useEffect(() => {
    const link = whole.current?.querySelector<HTMLElement>('.sidebar [aria-current]')
    if (whole.current && link) bringIntoSight(whole.current, link)
  }, [current])
  return (
    <nav className="navigation" aria-label={label} ref={whole}>
      {GROUPS.map(({ title, pages }) => {
        const shown = pages.filter((page) => isSeen(page, viewer))
        if (shown.length === 0) return null
        return (
          <div key={title} className="nav-group">
            <p className="nav-title">{title}</p>
            <ul>
              {shown.map((page) => (
                <li key={page.path}>
                  <Link
                    to={`/${page.path}`}
                    title={page.title}
                    aria-current={page.path === current ? 'page' : undefined}
                  >
                    <Icon name={page.icon} />
                    <span className="grow">{page.title}</span>
                    {page.path === COUNTED && <UnreadCount />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** By hand: `scrollIntoView` would also have the Tab key go on from there, past the link that skips the navigation. */
function bringIntoSight(box: HTMLElement, link: HTMLElement) {
  const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()]
  if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top
}

const NEAREST = ['overview', 'campaigns', 'messages', 'conversations']

/** What the thumb reaches on a phone. */
export function BottomBar({ current, onMore }: { current: string; onMore: () => void }) {
  const viewer = useSession()
  return (
    <nav className="bottombar" aria-label={t('Main pages')}>
      {PAGES.filter((page) => NEAREST.includes(page.path) && isSeen(page, viewer)).map((page) => (
        <Link key={page.path} to={`/${page.path}`} aria-current={page.path === current ? 'page' : undefined}>
          <Icon name={page.icon} />
          {page.title}
          {page.path === COUNTED && <UnreadCount />}
        </Link>
      ))}
      <button type="button" onClick={onMore}>
        <Icon name="menu" />
        {t('More||pages')}
      </button>
    </nav>
  )
}
