import { Type, type Static } from '../../../values/schema/type.ts'
import { ListedPurchase } from '../../../airtime/schema.ts'
import { NETWORKS, type Network } from '../../../carriers/topup-carrier.ts'
import { ShownPhoneCarrier } from '../../../carriers/phone/schema.ts'
import { BindWithPdus, BoundCarrier, CarrierState } from '../../../carriers/schema.ts'
import { PriceSettings, RouteSettings } from '../../../messaging/settings.ts'
import { OperatorPause } from '../../../messaging/pauses/schema.ts'
import { Hold } from '../../../messaging/read/schema.ts'
import { GuardedPrefix } from '../../../otp/schema.ts'
import { RegisteredSender } from '../../../senders/schema.ts'
import { Status } from '../../../status/schema.ts'
import { RequestMeta } from '../../shapes.ts'

const id = Type.String({ format: 'uuid' })
const timestamp = Type.String({ format: 'date-time' })
/** Operators see all organisations. */
const whose = { organisation_id: id, organisation_name: Type.String() }
const meta = RequestMeta

/** A purchase whose outcome its vendor did not report in time. */
const WaitingPurchase = Type.Object({
  ...whose,
  id,
  network: Type.Unsafe<Network>({ type: 'string', enum: [...NETWORKS] }),
  recipient: Type.String(),
  amount: Type.Number(),
  external_ref: Type.Optional(Type.String()),
  vendor: Type.String(),
  reference: Type.String(),
  vendor_purchase_id: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  vendor_description: Type.Optional(Type.String()),
  created_datetime: timestamp,
  review_datetime: timestamp,
})
export type WaitingPurchase = Static<typeof WaitingPurchase>

export const ReviewAnswer = Type.Object({ purchases: Type.Array(WaitingPurchase), meta })
export type ReviewAnswer = Static<typeof ReviewAnswer>

export const SettledAnswer = Type.Object({
  id,
  status: ListedPurchase.properties.status,
  refunded: Type.Boolean(),
  meta,
})
export type SettledAnswer = Static<typeof SettledAnswer>

export const GuardAnswer = Type.Object({
  prefixes: Type.Array(Type.Object({ ...whose, ...GuardedPrefix.properties })),
  meta,
})
export type GuardAnswer = Static<typeof GuardAnswer>

const AnyonesSender = Type.Object({ ...whose, ...RegisteredSender.properties })
export type AnyonesSender = Static<typeof AnyonesSender>

export const SendersAnswer = Type.Object({ senders: Type.Array(AnyonesSender), meta })
export type SendersAnswer = Static<typeof SendersAnswer>

export const DecidedSender = Type.Object({ sender: RegisteredSender, meta })
export type DecidedSender = Static<typeof DecidedSender>

/** The configuration of carriers, routes and prices, and the state of queues. */
export const CarriersAnswer = Type.Object({
  carriers: Type.Array(CarrierState),
  routes: Type.Array(RouteSettings),
  prices: Type.Array(PriceSettings),
  vendors: Type.Array(Type.Object({ name: Type.String(), kind: Type.String() })),
  queues: Type.Array(Type.Object({ queue: Type.String(), depth: Type.Integer(), oldest_s: Type.Number() })),
  holds: Type.Array(Hold),
  pauses: Type.Array(OperatorPause),
  meta,
})
export type CarriersAnswer = Static<typeof CarriersAnswer>

export const PauseAnswer = Type.Object({ pause: OperatorPause, meta })

export const BlockedAnswer = Type.Object({ added: Type.Integer(), entries: Type.Integer(), meta })

export const BindsAnswer = Type.Object({ carriers: Type.Array(BoundCarrier), meta })
export type BindsAnswer = Static<typeof BindsAnswer>

export const BindAnswer = Type.Object({ carrier: Type.String(), ...BindWithPdus.properties, meta })
export type BindAnswer = Static<typeof BindAnswer>

export const StatusAnswer = Type.Object({ ...Status.properties, meta })
export type StatusAnswer = Static<typeof StatusAnswer>

export const PhonesAnswer = Type.Object({ carriers: Type.Array(ShownPhoneCarrier), meta })
export type PhonesAnswer = Static<typeof PhonesAnswer>
