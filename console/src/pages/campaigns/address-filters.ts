import { groupsOf, type Group, type Kept } from '../contacts/contacts.ts'

/** The filters in the address. They may have been typed, so they are validated. */
export function readFilters(text: string | undefined): Group[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]')
    return groupsOf(Array.isArray(given) ? given.filter(isEither) : [])
  } catch {
    return []
  }
}

function isEither(given: unknown): given is Kept | { any: Kept[] } {
  return isFilter(given) || isGroup(given)
}

function isGroup(given: unknown): given is { any: Kept[] } {
  if (typeof given !== 'object' || given === null || !('any' in given)) return false
  return Array.isArray(given.any) && given.any.length > 0 && given.any.every(isFilter)
}

function isFilter(given: unknown): given is Kept {
  if (typeof given !== 'object' || given === null) return false
  if (!('column_id' in given) || !('operator' in given)) return false
  return typeof given.column_id === 'string' && typeof given.operator === 'string'
}
