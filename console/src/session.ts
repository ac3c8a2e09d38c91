import { createContext, useContext } from 'react'
import type { Session, ShownOrganisation } from './api-types.ts'
import type { Area } from '../../src/users/schema.ts'
import type { Right } from './types.ts'

/** The current organisation, or its test twin under the twin's id. */
export type Viewed = Omit<ShownOrganisation, 'test_balance'> & { mode: 'live' | 'test' }

export type SessionState = {
  session: Session
  organisation: Viewed
  operator: boolean
  /** What the person may do in a part of the organisation. The service refuses all else, whatever the page shows. */
  right: (area: Area) => Right
  /** Everything here ends at the virtual phones. */
  sandbox: boolean
  choose: (organisation_id: string) => void
  /** Takes a session just begun, or changed. */
  enter: (session: Session) => void
  leave: () => Promise<void>
}

export const SessionContext = createContext<SessionState | null>(null)

/** The logged-in user and the current organisation. */
export function useSession(): SessionState {
  const state = useContext(SessionContext)
  if (state === null) throw new Error('a page outside of the session asks for it')
  return state
}

/** Looks at an organisation, or at its twin by the twin's id, which may not be among the first of the session. */
export function useTake(): (organisation: ShownOrganisation, id: string) => void {
  const { session, choose, enter } = useSession()
  return (organisation, id) => {
    const others = session.organisations.filter((each) => each.id !== organisation.id)
    enter({ ...session, organisations: [organisation, ...others] })
    choose(id)
  }
}

/** For what may be read before a session is there, too. */
export function useOrganisationId(): string | undefined {
  return useContext(SessionContext)?.organisation.id
}

/** The organisation with this id or whose twin has it; else the first. */
export function findViewed(organisations: readonly ShownOrganisation[], id: string | null): Viewed | undefined {
  const twin = organisations.find(({ test_id }) => test_id === id)
  if (twin) return { ...twin, id: twin.test_id, balance: twin.test_balance, mode: 'test' }
  const found = organisations.find((each) => each.id === id) ?? organisations[0]
  return found && { ...found, mode: 'live' }
}
