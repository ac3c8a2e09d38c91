import { useMemo, useState } from 'react'
import { useSession } from '../../session.ts'
import type { Column } from './contacts.ts'

const BEFORE = 'gangan.columns.'
export const NARROWEST_PX = 80
export const WIDEST_PX = 800

/** Personal view settings of the sheet, in this browser. Order and names of columns are shared. */
export type View = { hidden: readonly string[]; widths: Readonly<Record<string, number>> }

export type Viewed = View & {
  hide: (id: string, hidden: boolean) => void
  resize: (id: string, width_px: number | undefined) => void
}

export function useView(): Viewed {
  const { session, organisation } = useSession()
  const key = `${BEFORE}${session.user.id}.${organisation.id}`
  const [view, setView] = useState<View>(() => readView(key))
  return useMemo(() => {
    const keep = (next: View) => {
      localStorage.setItem(key, JSON.stringify(next))
      setView(next)
    }
    return {
      ...view,
      hide: (id, hidden) =>
        keep({ ...view, hidden: [...view.hidden.filter((each) => each !== id), ...(hidden ? [id] : [])] }),
      resize: (id, width_px) => {
        const { [id]: _before, ...others } = view.widths
        keep({ ...view, widths: width_px === undefined ? others : { ...others, [id]: within(width_px) } })
      },
    }
  }, [key, view])
}

export function shownColumns(columns: readonly Column[], { hidden }: View): Column[] {
  const shown = columns.filter(({ id }) => !hidden.includes(id))
  return shown.length === 0 ? [...columns] : shown
}

/** The widths of the grid, with the boxes in front and the buttons behind. */
export function templateOf(columns: readonly Column[], { widths }: View, selects: boolean): string {
  const each = columns.map(({ id }) => (widths[id] === undefined ? 'minmax(150px, 1fr)' : `${widths[id]}px`))
  return [selects ? '40px' : '', ...each, '76px'].join(' ').trim()
}

function within(width_px: number): number {
  return Math.round(Math.min(Math.max(width_px, NARROWEST_PX), WIDEST_PX))
}

/** What is kept in a browser may have been written by an earlier version, or by hand. */
function readView(key: string): View {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return EMPTY
    const hidden: unknown = 'hidden' in kept ? kept.hidden : []
    const widths: unknown = 'widths' in kept ? kept.widths : {}
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [],
      widths: Object.fromEntries(
        Object.entries(widths ?? {}).flatMap(([id, width]) => (typeof width === 'number' ? [[id, within(width)]] : [])),
      ),
    }
  } catch {
    return EMPTY
  }
}

const EMPTY: View = { hidden: [], widths: {} }
