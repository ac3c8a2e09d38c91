import { useState, type RefObject } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { SearchField } from 'react-aria-components/SearchField'
import { t } from '../../text/text.ts'
import { overlaysOf } from './overlays.ts'
import type { Choice } from './choice.ts'
import './options.css'

/** A longer list has a search field. */
const MOST_WITHOUT_SEARCH = 12

/** Choosing the option that is chosen closes the list, too. `ListBox` passes this to its state, but does not declare it. */
const EVERY_CHOICE = { allowDuplicateSelectionEvents: true }

/** The list of a select: with a search field where it is long or was opened by typing. */
export default function Options({
  id,
  trigger,
  label,
  choices,
  value,
  typed,
  onChoose,
  onClose,
}: {
  id: string
  trigger: RefObject<HTMLButtonElement | null>
  label: string | undefined
  choices: readonly Choice[]
  value: string
  /** What was typed to open the list. */
  typed: string
  onChoose: (value: string) => void
  onClose: () => void
}) {
  const [name] = useState(() => label ?? trigger.current?.labels[0]?.textContent ?? t('Options||of a select'))
  const searchable = choices.length > MOST_WITHOUT_SEARCH || typed !== ''
  const list = (
    <ListBox
      {...EVERY_CHOICE}
      id={id}
      aria-label={name}
      className="options"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      autoFocus={!searchable}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key !== undefined) onChoose(String(key))
      }}
      renderEmptyState={() => <p className="soft">{t('Nothing matches.')}</p>}
      items={choices}
    >
      {(choice) => (
        <ListBoxItem id={choice.value} textValue={choice.label} className="option">
          {choice.label}
        </ListBoxItem>
      )}
    </ListBox>
  )
  return (
    <Popover
      triggerRef={trigger}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      offset={4}
      placement="bottom start"
      className="popover"
      aria-label={name}
      UNSTABLE_portalContainer={overlaysOf(trigger.current)}
    >
      {searchable ? (
        <Autocomplete filter={contains}>
          <SearchField aria-label={t('Search')} autoFocus defaultValue={typed} className="options-search">
            <Input placeholder={t('Search')} />
          </SearchField>
          {list}
        </Autocomplete>
      ) : (
        list
      )}
    </Popover>
  )
}

/** Without regard to case and accents. */
function contains(text: string, typed: string): boolean {
  return plain(text).includes(plain(typed))
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}
