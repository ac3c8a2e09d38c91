import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

export type Asset = { type: string; etag: string; body: Buffer; gzip?: Buffer; br?: Buffer }
export type ReadClient = () => Promise<ReadonlyMap<string, Asset> | undefined>

const FOLDER = new URL('../../../dist/console/', import.meta.url)
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}
const COMPRESSED = /^text\/|javascript|json|svg/
const WORTH_IT = 1_024

export const readClient: ReadClient = makeReadClient(FOLDER)

/** The built client, held in memory, compressed once, and read anew when it was built again. */
export function makeReadClient(folder: URL): ReadClient {
  let known: { built: number; files: Promise<ReadonlyMap<string, Asset>> } | undefined
  return async () => {
    const built = await stat(new URL('index.html', folder)).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    if (built === undefined) return undefined
    if (known?.built !== built) known = { built, files: readFolder(folder) }
    return known.files
  }
}

async function readFolder(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder, { recursive: true })
  const served = names.filter((name) => TYPES[extname(name)] !== undefined)
  const assets = await Promise.all(served.map(async (name) => [name, await readAsset(new URL(name, folder))] as const))
  return new Map(assets)
}

async function readAsset(file: URL): Promise<Asset> {
  const body = await readFile(file)
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream'
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  if (!COMPRESSED.test(type) || body.length < WORTH_IT) return { type, etag, body }
  const [zipped, br] = await Promise.all([promisify(gzip)(body), promisify(brotliCompress)(body)])
  return { type, etag, body, gzip: zipped, br }
}
