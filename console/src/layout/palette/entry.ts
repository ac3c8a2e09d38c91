import type { IconName } from '../../ui/Icon.tsx'

/** Something to go to or to do. */
export type Entry = {
  id: string
  title: string
  /** Said beside the title, such as the group of a page. */
  detail?: string | undefined
  icon: IconName
  /** Synonyms for the search. */
  words?: string
  /** Where it leads; or else what it does. */
  to?: string
  run?: () => void
}

export type Group = { title: string; entries: readonly Entry[] }
