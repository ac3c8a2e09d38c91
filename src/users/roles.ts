/** What somebody may be in their organisation. An operator of the installation may do everything everywhere. */
export const ROLES = ['owner', 'admin', 'developer', 'marketer', 'finance', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Who may change something may also read it. */
export type Right = 'change' | 'read' | 'none'

/** The parts of an organisation: a key's scopes, and what only people have. */
export const AREAS = [
  'overview',
  'sms',
  'otp',
  'airtime',
  'lookup',
  'lists',
  'people',
  'settings',
  'callbacks',
  'balance',
  'phones',
  'keys',
  'users',
  'audit',
  'requests',
] as const
export type Area = (typeof AREAS)[number]

const change = 'change'
const read = 'read'
const none = 'none'

/**
 * Who may do what: the one table. The service asks it before every request of a person, the console for what it shows,
 * and a test walks it through every route. A lookup costs money even where it only reads, so it is never just read.
 */
const RIGHTS: Record<Area, readonly Right[]> = {
  //          owner   admin   developer marketer finance viewer
  overview: [read, read, read, read, read, read],
  sms: [change, change, change, change, read, read],
  otp: [change, change, change, read, read, read],
  airtime: [change, change, change, none, read, read],
  lookup: [change, change, change, change, none, none],
  lists: [change, change, read, change, none, read],
  people: [change, change, read, none, none, none],
  settings: [change, change, change, read, read, read],
  callbacks: [change, change, change, none, none, read],
  balance: [change, change, read, read, change, read],
  phones: [change, change, change, change, none, read],
  keys: [change, change, change, none, none, none],
  users: [change, change, read, read, read, read],
  audit: [read, read, read, none, read, none],
  requests: [read, read, read, none, none, none],
}

export function rightIn(role: Role | 'operator', area: Area): Right {
  return role === 'operator' ? change : (RIGHTS[area][ROLES.indexOf(role)] ?? none)
}

/** All rights of a role, as the console is told them. */
export function rightsOf(role: Role | 'operator'): Record<string, Right> {
  return Object.fromEntries(AREAS.map((area) => [area, rightIn(role, area)]))
}

export function mayDo(role: Role | 'operator', area: Area, writes: boolean): boolean {
  const right = rightIn(role, area)
  return right === change || (right === read && !writes)
}

/** A key for the balance reads it; every other scope also lets a key change things. */
const ONLY_READS: readonly Area[] = ['balance']

/** Whether somebody may make a key with these scopes: one that does no more than their role does. */
export function mayGive(role: Role | 'operator', scopes: readonly Area[]): boolean {
  return scopes.every((scope) => mayDo(role, scope, !ONLY_READS.includes(scope)))
}

/** Owners answer to owners only: an admin neither makes one, nor becomes one, nor puts one out. */
export function mayTouch(role: Role | 'operator', other: Role): boolean {
  return role === 'operator' || role === 'owner' || other !== 'owner'
}
