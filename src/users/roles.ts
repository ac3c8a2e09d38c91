/** Roles within an organisation. An operator of the installation has all rights in all organisations. */
export const ROLES = ['owner', 'admin', 'developer', 'marketer', 'finance', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** `change` includes `read`. */
export type Right = 'change' | 'read' | 'none'

/** What rights apply to: the scopes of API keys, and areas that exist in the console only. */
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
 * The permission table. The service checks it on every request of a user, the console uses it to show and hide controls,
 * and a test checks every route against it. A lookup is charged, so it requires `change`.
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

/** All rights of a role, as returned to the console. */
export function rightsOf(role: Role | 'operator'): Record<string, Right> {
  return Object.fromEntries(AREAS.map((area) => [area, rightIn(role, area)]))
}

export function mayDo(role: Role | 'operator', area: Area, writes: boolean): boolean {
  const right = rightIn(role, area)
  return right === change || (right === read && !writes)
}

/** Scopes that only allow a key to read. */
const ONLY_READS: readonly Area[] = ['balance']

/** Whether a user may create a key with these scopes: the key must not exceed the user's role. */
export function mayGive(role: Role | 'operator', scopes: readonly Area[]): boolean {
  return scopes.every((scope) => mayDo(role, scope, !ONLY_READS.includes(scope)))
}

/** Owners answer to owners only: an admin neither makes one, nor becomes one, nor puts one out. */
export function mayTouch(role: Role | 'operator', other: Role): boolean {
  return role === 'operator' || role === 'owner' || other !== 'owner'
}
