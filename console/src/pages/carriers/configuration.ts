import type { Beginning } from '../../answers.ts'
import { CARRIERS } from './binds.ts'

export const CONFIGURATION = '/console/api/configuration'

/** What is read again after a change of carriers and routes. */
export const STALE: readonly Beginning[] = [CONFIGURATION, CARRIERS, '/console/api/audit']

export function pathOf<Kind extends 'carrier' | 'route'>(kind: Kind, name: string) {
  return `${CONFIGURATION}/${kind}s/${encodeURIComponent(name)}` as const
}

/** Stands for the secret of a password, as in answers. */
export const PLACEHOLDER = '<secret password>'
