import type { AddressMode } from '../../callbacks/post/address-guard.ts'
import type { Db } from '../../db/connect.ts'
import type { DndSetting } from '../settings.ts'
import type { AudienceDeps } from './audience.ts'
import type { TariffOf } from './tariff.ts'
import type { WhatsappDeps } from './whatsapp.ts'

export type ComposeDeps = AudienceDeps &
  WhatsappDeps & {
    db: Db
    tariffOf: TariffOf
    address_mode: AddressMode
    dnd: DndSetting
    /** Whether the operator of the service blocks the number. */
    isBlocked: (recipient: string) => boolean
    /** There is no real carrier, so any sender is accepted. */
    sandbox: boolean
    /** Base URL of tracked links, without a trailing slash. */
    public_url: string
  }
