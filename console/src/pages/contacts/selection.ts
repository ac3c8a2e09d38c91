/** Rows that are chosen: these, or all the search holds for but these. */
export type Selection = { all: boolean; ids: ReadonlySet<string> }

export const NOTHING: Selection = { all: false, ids: new Set() }
export const EVERYTHING: Selection = { all: true, ids: new Set() }

/** As the service takes them in one change. */
export const MOST_IDS = 10_000
const MOST_EXCEPTIONS = 1_000

export function isChosen({ all, ids }: Selection, id: string): boolean {
  return ids.has(id) !== all
}

/** Undefined if all rows of a list without a total are selected. */
export function countChosen({ all, ids }: Selection, count_total: number | undefined): number | undefined {
  if (!all) return ids.size
  return count_total === undefined ? undefined : Math.max(0, count_total - ids.size)
}

/** With these rows chosen, or not; undefined when these are more than can be named one by one. */
export function choose(selection: Selection, ids: readonly string[], chosen: boolean): Selection | undefined {
  const next = new Set(selection.ids)
  for (const id of ids) {
    if (chosen === selection.all) next.delete(id)
    else next.add(id)
  }
  return next.size > (selection.all ? MOST_EXCEPTIONS : MOST_IDS) ? undefined : { all: selection.all, ids: next }
}

/** The target of a bulk change. */
export function rowsOf({ all, ids }: Selection, query: object): object {
  return all ? { query: { ...query, except: [...ids] } } : { row_ids: [...ids] }
}
