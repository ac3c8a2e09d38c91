import { CostAssignment, ImportResult, PastRule, PriceChange, PriceList } from '../../../prices/schema.ts'
import { Type } from '../../../values/schema/type.ts'
import { RequestMeta } from '../../shapes.ts'

const meta = RequestMeta

export const ListsAnswer = Type.Object({ price_lists: Type.Array(PriceList), currency: Type.String(), meta })
export const CostAssignmentsAnswer = Type.Object({
  assignments: Type.Array(CostAssignment),
  currency: Type.String(),
  meta,
})
export const ListAnswer = Type.Object({ price_list: PriceList, meta })
/** `changed`: false if the price was the same. */
export const RuleSetAnswer = Type.Object({ version: Type.Integer(), changed: Type.Boolean(), meta })
export const HistoryAnswer = Type.Object({ rules: Type.Array(PastRule), meta })
export const ChangesAnswer = Type.Object({ changes: Type.Array(PriceChange), meta })
export const ImportAnswer = Type.Object({ ...ImportResult.properties, meta })
