import { BILLED_ON, type BilledOn } from '../carriers/costs.ts'
import { timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage } from '../values/page.ts'

/** Price lists of the installation. */
export const MAX_LISTS = 1_000
/** Rules of one list, and lines of one file. */
export const MAX_RULES = 100_000
/** Changes that a preview shows; the counts are of all. */
export const MAX_SHOWN = 500
/** Unknown networks, and prices below cost, that a preview shows. */
export const MAX_SHOWN_NETWORKS = 100
export const MAX_FILE_BYTES = 16 * 1024 * 1024

/** A cost list has the costs of a carrier, in the form of prices. */
export const LIST_KINDS = ['price', 'cost'] as const
export type ListKind = (typeof LIST_KINDS)[number]
/** What happens to messages whose price is below the cost of the route's first carrier. */
export const BELOW_COST = ['allow', 'warn', 'refuse'] as const
export type BelowCost = (typeof BELOW_COST)[number]
const below_cost = Type.Unsafe<BelowCost>({
  type: 'string',
  enum: [...BELOW_COST],
  description:
    'Of messages whose price is below the cost of the first carrier of their route: `warn` counts them in a metric, `refuse` also refuses them.',
})

const kind = Type.Unsafe<ListKind>({ type: 'string', enum: [...LIST_KINDS] })

export const MAX_FEE = 1_000_000
/** Percent. */
export const COMMISSION = { least: -50, most: 100 }

export const LIST_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/

const name = Type.String({ pattern: LIST_NAME.source })
const channel = Type.Unsafe<'sms' | 'whatsapp'>({ type: 'string', enum: ['sms', 'whatsapp'] })
const route_class = Type.Optional(
  Type.Unsafe<'transactional' | 'promotional'>({ type: 'string', enum: ['transactional', 'promotional'] }),
)

/** What a rule applies to, as in `prices` of the configuration. */
const target = {
  channel,
  route_class,
  prefix: Type.String(),
  country: Type.Optional(Type.String()),
  operator: Type.Optional(Type.String()),
  mcc_mnc: Type.Optional(Type.String({ description: 'The network as a file named it.' })),
}

export const PriceList = Type.Object({
  name: Type.String(),
  kind,
  managed_by: Type.Unsafe<'operator' | 'file'>({ type: 'string', enum: ['operator', 'file'] }),
  is_default: Type.Boolean(),
  below_cost,
  otp_per_request: Type.Optional(Type.Number()),
  otp_per_verified: Type.Optional(Type.Number()),
  /** In percent. */
  airtime_commission: Type.Optional(Type.Number()),
  /** A change names the version that it was made for. */
  version: Type.Integer(),
  rules: Type.Integer(),
  organisations: Type.Integer(),
  /** Of a cost list: the carriers that it is assigned to. */
  carriers: Type.Optional(Type.Array(Type.String())),
  changed_datetime: Type.Optional(timestamp),
  changed_by: Type.Optional(Type.String()),
})
export type PriceList = Static<typeof PriceList>

export const PriceListBody = Type.Object({
  name,
  kind: Type.Optional(kind),
  /** The list that it begins as a copy of. */
  copy_of: Type.Optional(name),
})

/** Fees of a price list; null: none. */
const fee = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: MAX_FEE, description }))

/** Changes the given settings of a price list. */
export const PriceListChange = Type.Object({
  below_cost: Type.Optional(below_cost),
  otp_per_request: fee('Charged for every OTP beside its message.'),
  otp_per_verified: fee('Charged with every OTP, and refunded once it has ended without being verified.'),
  airtime_commission: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: COMMISSION.least,
      maximum: COMMISSION.most,
      description: 'Percent added to the price of airtime; negative: a discount.',
    }),
  ),
})
export type PriceListChange = Static<typeof PriceListChange>

export const ListParams = Type.Object({ name: Type.String({ maxLength: 60 }) })

/** A rule that applies, or will from `valid_from`. Without a price: the target has none of its own from then on. */
export const PriceRule = Type.Object({
  target: Type.String({ description: 'Identifies what the rule applies to.' }),
  ...target,
  price: Type.Optional(Type.Number()),
  valid_from: Type.Optional(timestamp),
  /** It does not apply yet. */
  scheduled: Type.Boolean(),
})
export type PriceRule = Static<typeof PriceRule>

export const RulesPage = Type.Object({ rules: onePage(PriceRule), meta: ListMeta })

/** A rule as an operator writes it; a price of null ends it. */
export const RuleBody = Type.Object({
  version: Type.Integer({ minimum: 0 }),
  channel,
  route_class,
  prefix: Type.Optional(Type.String({ maxLength: 40 })),
  country: Type.Optional(Type.String({ maxLength: 60 })),
  operator: Type.Optional(Type.String({ maxLength: 60 })),
  mcc_mnc: Type.Optional(Type.String({ maxLength: 20 })),
  price: Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1_000_000 }),
  valid_from: Type.Optional(Type.String({ maxLength: 40 })),
})
export type RuleBody = Static<typeof RuleBody>

export const PastRule = Type.Object({
  ...PriceRule.properties,
  actor: Type.String(),
  created_datetime: timestamp,
  withdrawn_by: Type.Optional(Type.String()),
  withdrawn_datetime: Type.Optional(timestamp),
})
export type PastRule = Static<typeof PastRule>

export const PriceChange = Type.Object({
  version: Type.Integer(),
  kind: Type.Unsafe<'set' | 'import' | 'undo'>({ type: 'string', enum: ['set', 'import', 'undo'] }),
  actor: Type.String(),
  file_name: Type.Optional(Type.String()),
  added: Type.Integer(),
  raised: Type.Integer(),
  lowered: Type.Integer(),
  removed: Type.Integer(),
  undone_by: Type.Optional(Type.Integer()),
  created_datetime: timestamp,
})
export type PriceChange = Static<typeof PriceChange>

export type Counts = { added: number; raised: number; lowered: number; removed: number }

/** What a file would change, or has changed. */
export const ImportResult = Type.Object({
  /** The version of the list that it was compared with, or, once it is applied, has made. */
  version: Type.Integer(),
  applied: Type.Boolean(),
  lines: Type.Integer(),
  added: Type.Integer(),
  raised: Type.Integer(),
  lowered: Type.Integer(),
  removed: Type.Integer(),
  unchanged: Type.Integer(),
  invalid: Type.Integer(),
  /** How the columns of the file were read: field to header. */
  columns: Type.Record(Type.String(), Type.String()),
  headers: Type.Array(Type.String()),
  faults: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() })),
  /** Networks of the file that are not in the table of network codes, and the first of them. */
  unknown_networks: Type.Integer(),
  networks: Type.Array(
    Type.Object({
      mcc_mnc: Type.String(),
      country: Type.String(),
      /** The operator that the file names; without one the line is invalid. */
      operator: Type.Optional(Type.String()),
      /** The first line that names it. */
      line: Type.Integer(),
    }),
  ),
  /** Prices of the file below the cost of the first carrier of their route, and the first of them. */
  below_cost: Type.Integer(),
  below_cost_prices: Type.Array(
    Type.Object({ ...target, price: Type.Number(), carrier: Type.String(), cost: Type.Number() }),
  ),
  changes: Type.Array(
    Type.Object({
      kind: Type.Unsafe<'added' | 'raised' | 'lowered' | 'removed'>({
        type: 'string',
        enum: ['added', 'raised', 'lowered', 'removed'],
      }),
      ...target,
      before: Type.Optional(Type.Number()),
      price: Type.Optional(Type.Number()),
      valid_from: Type.Optional(timestamp),
    }),
  ),
})
export type ImportResult = Static<typeof ImportResult>

export const ImportQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: 'Only report what would change.' })),
  version: Type.Optional(Type.Integer({ minimum: 0, description: 'Refused if the list has another version.' })),
  replace: Type.Optional(Type.Boolean({ description: 'The file is the complete list: remove what it does not name.' })),
  skip_invalid: Type.Optional(Type.Boolean({ description: 'Import the other lines if some are invalid.' })),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'When lines without a date apply; now.' })),
  channel: Type.Optional(channel),
  route_class,
  date_order: Type.Optional(Type.Unsafe<'dmy' | 'mdy'>({ type: 'string', enum: ['dmy', 'mdy'] })),
  columns: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'Which column is what: `price=Rate EUR,mccmnc=Network ID`.' }),
  ),
  file_name: Type.Optional(Type.String({ maxLength: 200 })),
})
export type ImportQuery = Static<typeof ImportQuery>

export const UndoBody = Type.Object({ version: Type.Integer({ minimum: 0 }) })

export const AssignmentBody = Type.Object({
  /** Null: the default. */
  price_list: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 60 }),
})

export const ListsQuery = Type.Object({ kind: Type.Optional(kind) })

export const CARRIER_NAME_LENGTH = 60
export const CarrierParams = Type.Object({ carrier: Type.String({ minLength: 1, maxLength: CARRIER_NAME_LENGTH }) })

const billed_on = Type.Unsafe<BilledOn>({
  type: 'string',
  enum: [...BILLED_ON],
  description: '`submitted`: the carrier charges for what it accepts; `delivered`: only for what is delivered.',
})

/** The cost list of a carrier. */
export const CostAssignment = Type.Object({
  carrier: Type.String(),
  cost_list: Type.String(),
  billed_on,
  /** The costs in its answers count. */
  use_answers: Type.Boolean(),
  /** The routes that lead to it; none: there is no carrier of this name in a route. */
  routes: Type.Array(Type.String()),
})
export type CostAssignment = Static<typeof CostAssignment>

export const CostAssignmentBody = Type.Object({
  /** Null: none; its costs are not known. */
  cost_list: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 60 }),
  billed_on: Type.Optional(billed_on),
  use_answers: Type.Optional(
    Type.Boolean({ description: 'The carrier states costs in our currency in its answers: they count.' }),
  ),
})
export type CostAssignmentBody = Static<typeof CostAssignmentBody>
