import type { Organisation } from './organisation.ts'
import { openOrganisation } from './organisation.ts'
import type { SmppServerSettings } from './settings.ts'

/** The places for binds in this process, and the organisations that have some. */
export type Places = {
  /** Undefined: there is none for this organisation. */
  take(organisation_id: string): Organisation | undefined
  free(organisation_id: string): void
  readonly taken: number
}

/** As many may bind where only reserved places are left: a transmitter and a receiver. */
const FROM_RESERVE = 2
/** At most this part of all places is reserved. */
const MOST_RESERVED = 1 / 10

export function makePlaces(settings: SmppServerSettings): Places {
  const { binds, binds_per_organisation, binds_reserved } = settings.limits
  const reserved = Math.min(binds_reserved, Math.floor(binds * MOST_RESERVED))
  const organisations = new Map<string, Organisation>()
  let taken = 0
  return {
    take(organisation_id) {
      const organisation = organisations.get(organisation_id) ?? openOrganisation(settings)
      const most = binds - taken > reserved ? binds_per_organisation : Math.min(FROM_RESERVE, binds_per_organisation)
      if (taken >= binds || organisation.binds >= most) return undefined
      organisations.set(organisation_id, organisation)
      organisation.binds += 1
      taken += 1
      return organisation
    },
    free(organisation_id) {
      const organisation = organisations.get(organisation_id)
      if (!organisation) return
      organisation.binds -= 1
      taken -= 1
      if (organisation.binds === 0) organisations.delete(organisation_id)
    },
    get taken() {
      return taken
    },
  }
}
