import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { go } from '../../router.tsx'
import { useSession, useTake } from '../../session.ts'
import { plural, Rich, t } from '../../text/text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { actionEntries, organisationEntries, pageEntries, themeEntries } from './entries.ts'
import type { Entry, Group } from './entry.ts'
import { matching, step } from './match.ts'
import { noteRecent, readRecent } from './recent.ts'
import { useSearch } from './search.ts'
import './palette.css'

const MOST_ORGANISATIONS = 5
const ARROWS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Everything by its name: pages, what can be done, messages and contacts. The arrows choose, Enter goes there. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const viewer = useSession()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const look = useTake()
  const { named, messages, contacts, organisations, searching } = useSearch(text)
  const pages = pageEntries(viewer)
  const recent = useMemo(() => readRecent(viewer), [viewer])
  const groups = groupsOf(text, {
    // A page may have been noted in another language.
    recent: recent.map((entry) => pages.find((page) => page.id === entry.id) ?? entry),
    actions: [...actionEntries(viewer), ...themeEntries()],
    pages,
    organisations: withFound(
      organisationEntries(viewer.session.organisations, viewer.organisation.id, look),
      organisations,
    ),
    named,
    messages,
    contacts,
  })
  const all = groups.flatMap(({ entries }) => entries)
  const chosen = Math.min(at, Math.max(0, all.length - 1))
  const idOf = (entry: Entry | undefined) => (entry ? `${id}-${all.indexOf(entry)}` : undefined)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, all.length])

  function take(entry: Entry | undefined) {
    if (!entry) return
    noteRecent(viewer, entry)
    onClose()
    if (entry.to !== undefined) go(entry.to)
    else entry.run?.()
  }
  function press(event: KeyboardEvent) {
    const by = ARROWS[event.key]
    if (by !== undefined) setAt(step(chosen, by, all.length))
    else if (event.key === 'Enter') take(all[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={t('Search and go to')} bare onClose={onClose}>
      <div className="palette-field">
        <Icon name="lookup" />
        <input
          type="text"
          role="combobox"
          data-search
          aria-label={t('Search pages, actions, names, messages and contacts')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={idOf(all[chosen])}
          aria-autocomplete="list"
          placeholder={t('Search everything')}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <button type="button" className="palette-close" onClick={onClose}>
          <Rich text="Esc<unseen>: close</unseen>" unseen={(inner) => <span className="unseen">{inner}</span>} />
        </button>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        className="palette-list"
        role="listbox"
        aria-label={t('Found||what was searched for')}
      >
        {groups.map(({ title, entries }) => (
          <div key={title} role="group" aria-label={title}>
            <p className="palette-group" aria-hidden="true">
              {title}
            </p>
            {entries.map((entry) => (
              <Option
                key={entry.id}
                id={idOf(entry)}
                entry={entry}
                chosen={entry === all[chosen]}
                onPoint={() => setAt(all.indexOf(entry))}
                onTake={() => take(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={all.length === 0 ? 'palette-none soft' : 'unseen'} role="status">
        {searching
          ? t('Searching…')
          : all.length === 0
            ? t('No results.')
            : plural(all.length, '{n} found||one', '{n} found')}
      </p>
    </Dialog>
  )
}

/** The keyboard stays in the field; a click on an option is the same as Enter there. */
function Option({
  id,
  entry,
  chosen,
  onPoint,
  onTake,
}: {
  id: string | undefined
  entry: Entry
  chosen: boolean
  onPoint: () => void
  onTake: () => void
}) {
  return (
    <button
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      className="palette-option"
      aria-selected={chosen}
      onPointerMove={chosen ? undefined : onPoint}
      onClick={onTake}
    >
      <Icon name={entry.icon} />
      <span className="palette-title">{entry.title}</span>
      {entry.detail && <span className="palette-detail soft small">{entry.detail}</span>}
    </button>
  )
}

/** An operator may have more organisations than the session lists. */
function withFound(listed: readonly Entry[], found: readonly Entry[]): Entry[] {
  return [...listed, ...found.filter((entry) => !isIn(listed, entry))]
}

type Found = Record<'recent' | 'actions' | 'pages' | 'organisations' | 'named' | 'messages' | 'contacts', Entry[]>

/** Without a text what was used last comes first; with one, what carries its name, then what holds it. */
function groupsOf(text: string, found: Found): Group[] {
  const blank = text.trim() === ''
  const groups: Group[] = [
    { title: t('Recent'), entries: blank ? found.recent : [] },
    { title: t('Pages'), entries: blank ? [] : matching(found.pages, text) },
    { title: t('Actions'), entries: matching(found.actions, text) },
    { title: t('Go to'), entries: blank ? found.pages.filter((page) => !isIn(found.recent, page)) : [] },
    { title: t('By name||group of search results'), entries: found.named },
    { title: t('Messages'), entries: found.messages },
    { title: t('Contacts'), entries: found.contacts },
    {
      title: t('Organisations'),
      entries: blank ? [] : matching(found.organisations, text).slice(0, MOST_ORGANISATIONS),
    },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

function isIn(entries: readonly Entry[], { id }: Entry): boolean {
  return entries.some((entry) => entry.id === id)
}
