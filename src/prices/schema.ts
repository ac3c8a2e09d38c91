import { timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage } from '../values/page.ts'

/** Price lists of the installation. */
export const MAX_LISTS = 1_000
/** Rules of one list, and lines of one file. */
export const MAX_RULES = 100_000
/** Changes that a preview shows; the counts are of all. */
export const MAX_SHOWN = 500
/** Unknown networks that a preview shows. */
export const MAX_SHOWN_NETWORKS = 100
export const MAX_FILE_BYTES = 16 * 1024 * 1024

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
  managed_by: Type.Unsafe<'operator' | 'file'>({ type: 'string', enum: ['operator', 'file'] }),
  is_default: Type.Boolean(),
  /** A change names the version that it was made for. */
  version: Type.Integer(),
  rules: Type.Integer(),
  organisations: Type.Integer(),
  changed_datetime: Type.Optional(timestamp),
  changed_by: Type.Optional(Type.String()),
})
export type PriceList = Static<typeof PriceList>

export const PriceListBody = Type.Object({
  name,
  /** The list that it begins as a copy of. */
  copy_of: Type.Optional(name),
})

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
