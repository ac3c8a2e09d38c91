import { createContext, useContext } from 'react'
import type { Session, ShownOrganisation } from './api-types.ts'
import type { OrganisationSettingsAnswer } from '../../clients/typescript/src/types.ts'
import type { Area } from '../../src/users/schema.ts'
import type { Right } from './types.ts'

/** The current organisation, or its test twin under the twin's id. */
export type Viewed = Omit<ShownOrganisation, 'test_balance' | 'test_settings'> & { mode: 'live' | 'test' }

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

/** The organisation with this id or whose twin has it; else the first of the installation, which is listed last. */
export function findViewed(organisations: readonly ShownOrganisation[], id: string | null): Viewed | undefined {
  const twin = organisations.find(({ test_id }) => test_id === id)
  if (twin) {
    const { default_sender_id: _own, low_balance: _own_too, test_settings, ...shared } = twin
    return { ...shared, ...test_settings, id: twin.test_id, balance: twin.test_balance, mode: 'test' }
  }
  const found = organisations.find((each) => each.id === id) ?? organisations.at(-1)
  return found && { ...found, mode: 'live' }
}

/** The organisations once the settings of one of them, or of its twin, are saved. */
export function withSettings(
  organisations: readonly ShownOrganisation[],
  id: string,
  { name, default_country, default_sender_id, time_zone, low_balance, confirm_above }: OrganisationSettingsAnswer,
): ShownOrganisation[] {
  const settings = {
    default_country,
    time_zone,
    confirm_above,
    ...(default_sender_id === undefined ? {} : { default_sender_id }),
    ...(low_balance === undefined ? {} : { low_balance }),
  }
  return organisations.map((each) => {
    if (each.test_id === id) return { ...each, test_settings: settings }
    const { default_sender_id: _before, low_balance: _before_too, ...others } = each
    return each.id === id ? { ...others, ...settings, name } : each
  })
}
