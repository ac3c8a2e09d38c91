import { campaignsUsing } from '../../../campaigns/using-store.ts'
import { createConversion, undoConversion } from '../../../contacts/conversions/conversions.ts'
import { readConversion } from '../../../contacts/conversions/read.ts'
import { Conversion, ConversionBody, UNDO_S } from '../../../contacts/conversions/schema.ts'
import { Type } from '../../../values/schema/type.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { IdParams } from '../../shapes.ts'

const ColumnParams = Type.Object({ column_id: Type.String({ description: 'The column, by id or name.' }) })

const tag = 'Contacts'

export function contactConversionRoutes(deps: HttpDeps): Route[] {
  const conversions = { ...deps, campaignsUsing }
  return [
    route({
      method: 'POST',
      path: '/lists/contact/columns/:column_id/conversions',
      operation: 'contacts.conversions.create',
      scope: 'lists',
      summary: 'Convert a column to another type',
      description: `With \`dry_run\` a preview: how many cells fit the type, which do not, and what they become. Otherwise a job converts all cells and then gives the column its type; until then it is read as before. From the start, values written to the column must fit the new type, too. Numbers are stored as \`1234.5\`, dates as \`2026-04-03\`. Refused if a smartlist or an open campaign uses the column in a way the type does not allow; 409 while a bulk change or an import is running. It can be undone for ${UNDO_S / 60} minutes, and ends the undo of earlier bulk changes. It continues after a restart.`,
      tag,
      params: ColumnParams,
      body: ConversionBody,
      answer: Conversion,
      errors: [400, 404, 409, 413, 415],
      adds_faults: true,
      run: ({ caller, params, body, shape_faults }) =>
        createConversion(conversions, caller, params.column_id, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/conversions/:id',
      operation: 'contacts.conversions.get',
      scope: 'lists',
      summary: 'Read the progress of a conversion',
      description: 'Counts of the cells so far, with the first cells that fit and the first that do not.',
      tag,
      params: IdParams,
      answer: Conversion,
      errors: [404],
      run: ({ caller, params }) => readConversion(deps, caller, params.id),
    }),

    route({
      method: 'POST',
      path: '/lists/contact/conversions/:id/undo',
      operation: 'contacts.conversions.undo',
      scope: 'lists',
      summary: 'Undo a conversion',
      description:
        'The column has its previous type and cells immediately. A cell written since is kept if it fits that type, and otherwise cleared. 409 if the time to undo has passed, or a smartlist or an open campaign depends on the new type.',
      tag,
      params: IdParams,
      answer: Conversion,
      errors: [404, 409],
      run: ({ caller, params }) => undoConversion(conversions, caller, params.id),
    }),
  ]
}
