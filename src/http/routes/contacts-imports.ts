import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Type, type TSchema } from 'typebox'
import { csvLine } from '../../values/csv-write.ts'
import { cancelImport, findImports, readImport, readRejects } from '../../contacts/import/read.ts'
import { Import, ImportBody, ImportQuery, ImportWithFaults } from '../../contacts/import/schema.ts'
import { MAX_IMPORT_BYTES, uploadImport, type UploadOptions } from '../../contacts/import/upload.ts'
import { ListMeta, onePage, PageQuery } from '../../values/page.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { withFile } from './contacts-answers.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { IdParams } from '../shapes.ts'

const PASTE_LIMIT = 8 * 1024 * 1024

/** The body is CSV or JSON; only here. */
const Upload = {
  content: {
    'text/csv': { schema: Type.Unsafe<Readable>({}) },
    'application/json': { schema: ImportBody },
  },
} as unknown as TSchema

type Upload = Readable | Partial<ImportBody>

export function contactImportRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const shared = { tag: 'Contacts' }

  app.post<{ Querystring: ImportQuery; Body: Upload }>(
    '/lists/contact/imports',
    withCsv(
      keyRoute(deps, {
        ...shared,
        summary: 'Import rows from CSV',
        description: `Send the file as the body with content type \`text/csv\` (up to ${MAX_IMPORT_BYTES / 1024 / 1024} MiB; the first line holds the headers; comma, semicolon, tab or bar; UTF-8 or Windows-1252) and the wishes as query parameters, or everything as JSON. The answer comes when the file has been taken in; read the import to see how far it is. Good lines are written, bad ones are kept aside and can be downloaded. A restart goes on where it left off.`,
        querystring: ImportQuery,
        body: Upload,
        answer: ImportWithFaults,
        errors: [400, 413, 415],
        body_limit: PASTE_LIMIT,
      }),
    ),
    async (request) => {
      const { file, options, faults } = readUpload(request)
      const id = await uploadImport(deps, callerOf(request), file, options, faults)
      return readImport(deps, callerOf(request), id)
    },
  )

  app.get<{ Querystring: PageQuery }>(
    '/lists/contact/imports',
    keyRoute(deps, {
      ...shared,
      summary: 'List imports',
      querystring: PageQuery,
      answer: Type.Object({ imports: onePage(Import), meta: ListMeta }),
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { imports, pagination } = await findImports(deps, callerOf(request), request.query)
      return { imports, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.get<{ Params: IdParams }>(
    '/lists/contact/imports/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'See how far an import is',
      params: IdParams,
      answer: ImportWithFaults,
      errors: [404],
    }),
    async (request) => readImport(deps, callerOf(request), request.params.id),
  )

  app.get<{ Params: IdParams }>(
    '/lists/contact/imports/:id/rejects',
    withFile(
      keyRoute(deps, {
        ...shared,
        summary: 'Download the rejected lines as CSV',
        description: 'Each with its line number and what is wrong with it, to be mended and imported again.',
        params: IdParams,
        errors: [404],
      }),
    ),
    async (request, reply) => {
      const lines = await readRejects(deps, callerOf(request), request.params.id)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="rejects.csv"')
        .send(Readable.from(lines, { objectMode: false }))
    },
  )

  app.delete<{ Params: IdParams }>(
    '/lists/contact/imports/:id',
    keyRoute(deps, {
      empty: true,
      ...shared,
      summary: 'Cancel an import',
      description: 'Rows it has written stay.',
      params: IdParams,
      errors: [404],
    }),
    async (request, reply) => {
      await cancelImport(deps, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}

function withCsv<O extends { config: object }>(options: O): O & { config: { takes_csv: true } } {
  return { ...options, config: { ...options.config, takes_csv: true } }
}

type Read = { file: AsyncIterable<Buffer>; options: UploadOptions; faults: Fault[] }

function readUpload(request: FastifyRequest<{ Querystring: ImportQuery; Body: Upload }>): Read {
  const faults = faultsOf(request)
  const { mapping: mapping_text, ...params } = request.query
  const given = mapping_text === undefined ? undefined : readMapping(mapping_text, faults)
  if (request.body instanceof Readable) return { file: request.body, options: { ...params, mapping: given }, faults }
  const { csv, rows, ...options } = request.body
  if (csv === undefined && rows === undefined && faults.every(({ field }) => field !== 'csv' && field !== 'rows')) {
    const message = 'The file is the body as text/csv, or stands in csv or rows.'
    faults.push({ field: 'csv', message, type: 'missing' }, { field: 'rows', message, type: 'missing' })
  }
  refuseIfFaulty(faults)
  return {
    file: csv === undefined ? pastedLines(rows ?? []) : Readable.from([Buffer.from(csv)]),
    options: { ...options, ...params, ...(given ? { mapping: given } : {}) },
    faults,
  }
}

/** Others have a turn in between: eight megabytes of rows take a second or two to write. */
async function* pastedLines(rows: NonNullable<ImportBody['rows']>): AsyncGenerator<Buffer> {
  let written = 0
  for (const row of rows) {
    const line = Buffer.from(csvLine(row.map((cell) => String(cell ?? ''))))
    yield line
    written += line.length
    if (written < WRITTEN_PER_TURN) continue
    written = 0
    await new Promise(setImmediate)
  }
}

const WRITTEN_PER_TURN = 65_536

function readMapping(text: string, faults: Fault[]): Record<string, string | null> | undefined {
  try {
    const mapping: unknown = JSON.parse(text)
    const is_mapping =
      typeof mapping === 'object' &&
      mapping !== null &&
      !Array.isArray(mapping) &&
      Object.values(mapping).every((column) => column === null || typeof column === 'string')
    if (is_mapping) return mapping as Record<string, string | null>
    faults.push({ field: 'mapping', message: 'The mapping is an object of texts.', type: 'dict_type' })
  } catch {
    faults.push({ field: 'mapping', message: 'The mapping is not valid JSON.', type: 'json_invalid' })
  }
  return undefined
}
