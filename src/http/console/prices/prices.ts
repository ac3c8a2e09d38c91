import { Readable } from 'node:stream'
import { undoImport } from '../../../prices/change.ts'
import { importPrices } from '../../../prices/import.ts'
import { changeList } from '../../../prices/change-list.ts'
import { createList, removeList, setDefaultList } from '../../../prices/manage.ts'
import { exportPrices, findChanges, findHistory, findLists, findRules, readList } from '../../../prices/read.ts'
import {
  ImportQuery,
  ListParams,
  ListsQuery,
  MAX_FILE_BYTES,
  PriceListBody,
  PriceListChange,
  RuleBody,
  RulesPage,
  UndoBody,
} from '../../../prices/schema.ts'
import { setRule } from '../../../prices/set.ts'
import { PageQuery } from '../../../values/page.ts'
import { isRecord } from '../../../values/record.ts'
import { Refusal } from '../../../values/refusal.ts'
import { Type } from '../../../values/schema/type.ts'
import { wholeFile } from '../../body/read-bodies.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { actorOf } from '../../route/visitor.ts'
import { ChangesAnswer, HistoryAnswer, ImportAnswer, ListAnswer, ListsAnswer, RuleSetAnswer } from './schema.ts'

const PATH = '/console/api/price-lists'

/** The file is the body, or stands in `csv`. */
const FileBody = Type.Object({ csv: Type.String() })
const Upload = Type.Unsafe<Readable | { csv: string }>({
  content: {
    'text/csv': { schema: Type.Unsafe<Readable>({}) },
    'application/json': { schema: FileBody },
  },
})

/** The price lists of the installation. */
export function priceRoutes(deps: HttpDeps): Route[] {
  const { db, numbers, currency, costAt } = deps
  const setting = { db, numbers, currency, costAt }
  const filePrices = () => deps.installation.prices
  const listAnswer = async (name: string) => ({ price_list: await readList(deps, filePrices(), name) })
  return [
    route({
      method: 'GET',
      path: PATH,
      who: 'operator',
      summary: 'List price lists, or cost lists',
      query: ListsQuery,
      answer: ListsAnswer,
      run: async ({ query }) => ({ price_lists: await findLists(deps, filePrices(), query.kind), currency }),
    }),

    route({
      method: 'POST',
      path: PATH,
      who: 'operator',
      summary: 'Create a price list or a cost list',
      body: PriceListBody,
      answer: ListAnswer,
      run: async (request) => {
        await createList(deps, actorOf(request), request.body)
        return listAnswer(request.body.name)
      },
    }),

    route({
      method: 'GET',
      path: `${PATH}/:name`,
      who: 'operator',
      summary: 'Read a price list',
      params: ListParams,
      answer: ListAnswer,
      run: ({ params }) => listAnswer(params.name),
    }),

    route({
      method: 'PATCH',
      path: `${PATH}/:name`,
      who: 'operator',
      summary: 'Change the fees of a price list, and what happens to prices below cost',
      params: ListParams,
      body: PriceListChange,
      answer: ListAnswer,
      run: async (request) => {
        await changeList(deps, actorOf(request), request.params.name, request.body)
        return listAnswer(request.params.name)
      },
    }),

    route({
      method: 'DELETE',
      path: `${PATH}/:name`,
      who: 'operator',
      summary: 'Delete a price list that is not in use',
      params: ListParams,
      run: (request) => removeList(deps, actorOf(request), request.params.name),
    }),

    route({
      method: 'POST',
      path: `${PATH}/:name/default`,
      who: 'operator',
      summary: 'Make a price list the default',
      params: ListParams,
      answer: ListAnswer,
      run: async (request) => {
        await setDefaultList(deps, actorOf(request), request.params.name)
        return listAnswer(request.params.name)
      },
    }),

    route({
      method: 'GET',
      path: `${PATH}/:name/rules`,
      who: 'operator',
      summary: 'List the rules of a price list',
      params: ListParams,
      query: Type.Object({ ...PageQuery.properties, search: Type.Optional(Type.String({ maxLength: 60 })) }),
      answer: RulesPage,
      compress: true,
      run: ({ params, query }) => findRules(deps, filePrices(), params.name, query),
    }),

    route({
      method: 'POST',
      path: `${PATH}/:name/rules`,
      who: 'operator',
      summary: 'Set the price of what a rule applies to, or end it',
      params: ListParams,
      body: RuleBody,
      answer: RuleSetAnswer,
      run: (request) => setRule(setting, actorOf(request), request.params.name, request.body),
    }),

    route({
      method: 'GET',
      path: `${PATH}/:name/history`,
      who: 'operator',
      summary: 'List all prices that a target had',
      params: ListParams,
      query: Type.Object({ target: Type.String({ maxLength: 200 }) }),
      answer: HistoryAnswer,
      run: async ({ params, query }) => ({ rules: await findHistory(deps, params.name, query.target) }),
    }),

    route({
      method: 'GET',
      path: `${PATH}/:name/changes`,
      who: 'operator',
      summary: 'List the changes of a price list',
      params: ListParams,
      answer: ChangesAnswer,
      run: async ({ params }) => ({ changes: await findChanges(deps, params.name) }),
    }),

    route({
      method: 'POST',
      path: `${PATH}/:name/imports`,
      who: 'operator',
      summary: 'Compare a rate sheet with a price list, or import it',
      params: ListParams,
      query: ImportQuery,
      body: Upload,
      csv_limit: MAX_FILE_BYTES,
      answer: ImportAnswer,
      compress: true,
      run: async (request) => {
        const { body, params, query } = request
        const file = body instanceof Readable ? await wholeFile(body) : Buffer.from(csvOf(body))
        return importPrices(setting, actorOf(request), params.name, file, query)
      },
    }),

    route({
      method: 'POST',
      path: `${PATH}/:name/undo`,
      who: 'operator',
      summary: 'Undo the last import',
      params: ListParams,
      body: UndoBody,
      answer: ListAnswer,
      run: async (request) => {
        await undoImport(deps, actorOf(request), request.params.name, request.body.version)
        return listAnswer(request.params.name)
      },
    }),

    route({
      method: 'GET',
      path: `${PATH}/:name/rules.csv`,
      who: 'operator',
      summary: 'Download a price list as CSV',
      params: ListParams,
      file: 'prices.csv',
      run: async ({ params }) => {
        await readList(deps, filePrices(), params.name)
        return exportPrices(deps, filePrices(), params.name)
      },
    }),
  ]
}

function csvOf(body: unknown): string {
  if (isRecord(body) && typeof body.csv === 'string') return body.csv
  throw new Refusal('invalid_request', 'The file is missing.', [
    { field: 'csv', message: 'The file is missing.', type: 'missing' },
  ])
}
