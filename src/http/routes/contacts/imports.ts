import { Readable } from 'node:stream'
import { Type } from '../../../values/schema/type.ts'
import { csvCell } from '../../../values/csv-write.ts'
import { cancelImport, findImports, readImport, readRejects } from '../../../contacts/import/read.ts'
import { Import, ImportBody, ImportQuery, ImportWithFaults } from '../../../contacts/import/schema.ts'
import { MAX_IMPORT_BYTES, uploadImport, type UploadOptions } from '../../../contacts/import/upload.ts'
import { ListMeta, onePage, PageQuery } from '../../../values/page.ts'
import { refuseIfFaulty, type Fault } from '../../../values/refusal.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { IdParams } from '../../shapes.ts'
import { parseJson } from '../../../values/input/parse-json.ts'
import { isRecord } from '../../../values/record.ts'

const PASTE_LIMIT = 8 * 1024 * 1024

/** The body is CSV or JSON. */
const Upload = Type.Unsafe<Readable | ImportBody>({
  content: {
    'text/csv': { schema: Type.Unsafe<Readable>({}) },
    'application/json': { schema: ImportBody },
  },
})

const tag = 'Contacts'

export function contactImportRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/lists/contact/imports',
      operation: 'contacts.imports.create',
      scope: 'lists',
      summary: 'Import rows from CSV',
      description: `Send the file as the body with content type \`text/csv\` (up to ${MAX_IMPORT_BYTES / 1024 / 1024} MiB; the first line holds the headers; comma, semicolon, tab or bar; UTF-8 or Windows-1252) and the options as query parameters, or everything as JSON. Answers once the file is stored; read the import for its progress. A line with the phone number of an existing row updates that row, unless \`allow_duplicates\` is true. Valid lines are written, rejected ones can be downloaded. It continues after a restart.`,
      tag,
      query: ImportQuery,
      body: Upload,
      csv_limit: MAX_IMPORT_BYTES,
      body_limit: PASTE_LIMIT,
      answer: ImportWithFaults,
      errors: [400, 413, 415],
      adds_faults: true,
      run: async ({ caller, query, body, shape_faults }) => {
        const { file, options } = readUpload(query, body, shape_faults)
        const { id, samples } = await uploadImport(deps, caller, file, options, shape_faults)
        const begun = await readImport(deps, caller, id)
        return { ...begun, columns: begun.columns.map((column, n) => ({ ...column, samples: samples[n] ?? [] })) }
      },
    }),

    route({
      method: 'GET',
      path: '/lists/contact/imports',
      operation: 'contacts.imports.list',
      scope: 'lists',
      summary: 'List imports',
      description: 'Newest first, each with its progress.',
      tag,
      query: PageQuery,
      answer: Type.Object({ imports: onePage(Import), meta: ListMeta }),
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findImports(deps, caller, query),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/imports/:id',
      operation: 'contacts.imports.get',
      scope: 'lists',
      summary: 'Read the progress of an import',
      description: 'Lines read, written and rejected so far, with the first errors.',
      tag,
      params: IdParams,
      answer: ImportWithFaults,
      errors: [404],
      run: ({ caller, params }) => readImport(deps, caller, params.id),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/imports/:id/rejects',
      operation: 'contacts.imports.rejects',
      scope: 'lists',
      summary: 'Download the rejected lines as CSV',
      description: 'Each with its line number and error, to be corrected and imported again.',
      tag,
      params: IdParams,
      file: 'rejects.csv',
      errors: [404],
      run: ({ caller, params }) => readRejects(deps, caller, params.id),
    }),

    route({
      method: 'DELETE',
      path: '/lists/contact/imports/:id',
      operation: 'contacts.imports.cancel',
      scope: 'lists',
      summary: 'Cancel an import',
      description: 'Rows already written stay.',
      tag,
      params: IdParams,
      errors: [404],
      run: ({ caller, params }) => cancelImport(deps, caller, params.id),
    }),
  ]
}

type Upload = Readable | Partial<ImportBody>
type Read = { file: AsyncIterable<Buffer>; options: UploadOptions }

/** Invalid options are added to the errors; an invalid JSON body is rejected. */
function readUpload({ mapping, types, formats, ...params }: ImportQuery, body: Upload, faults: Fault[]): Read {
  const given = {
    ...readTexts('mapping', mapping, faults),
    ...readTexts('types', types, faults),
    ...readTexts('formats', formats, faults),
  }
  if (body instanceof Readable) return { file: body, options: { ...params, ...given } }
  const { csv, rows, ...options } = body
  if (csv === undefined && rows === undefined && faults.every(({ field }) => field !== 'csv' && field !== 'rows')) {
    const message = 'The file is the body as text/csv, or stands in csv or rows.'
    faults.push({ field: 'csv', message, type: 'missing' }, { field: 'rows', message, type: 'missing' })
  }
  refuseIfFaulty(faults)
  return {
    file: csv === undefined ? pastedLines(rows ?? []) : Readable.from([Buffer.from(csv)]),
    options: { ...options, ...params, ...given },
  }
}

/** Yields to other requests between rows: eight megabytes take a second or two. */
async function* pastedLines(rows: NonNullable<ImportBody['rows']>): AsyncGenerator<Buffer> {
  let text = ''
  for (const row of rows) {
    for (const [n, cell] of row.entries()) {
      text += (n === 0 ? '' : ',') + csvCell(String(cell ?? ''))
      if (text.length < BYTES_PER_CHUNK) continue
      yield Buffer.from(text)
      text = ''
      await new Promise(setImmediate)
    }
    text += '\r\n'
  }
  if (text !== '') yield Buffer.from(text)
}

const BYTES_PER_CHUNK = 65_536

type Texts = Record<string, string | null>

/** An object of texts that is given as JSON in the query string. */
function readTexts(field: 'mapping' | 'types' | 'formats', text: string | undefined, faults: Fault[]) {
  if (text === undefined) return {}
  const given = parseJson(text)
  if (isTexts(given)) return { [field]: given }
  faults.push(
    given === undefined
      ? { field, message: `\`${field}\` is not valid JSON.`, type: 'json_invalid' }
      : { field, message: `\`${field}\` is an object of texts.`, type: 'dict_type' },
  )
  return {}
}

function isTexts(given: unknown): given is Texts {
  if (!isRecord(given) || Array.isArray(given)) return false
  return Object.values(given).every((column) => column === null || typeof column === 'string')
}
