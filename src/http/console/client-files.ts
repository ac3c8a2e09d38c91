import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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
/** Of eleven; the last two take ten times as long for a few per cent. */
const QUALITY = 9

export const readClient: ReadClient = makeReadClient(FOLDER)

/** The built client, held in memory, compressed once in the background, and read anew when it was built again. */
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
  // Nobody waits for it: until a file is compressed it goes out as it is.
  compressAll(assets.map(([, asset]) => asset)).catch(() => {}) // then as they are
  return new Map(assets)
}

/** One after the other, so that the pool has time for others. */
async function compressAll(assets: readonly Asset[]): Promise<void> {
  for (const asset of assets.filter(({ type, body }) => COMPRESSED.test(type) && body.length >= WORTH_IT)) {
    asset.gzip = await promisify(gzip)(asset.body)
    asset.br = await promisify(brotliCompress)(asset.body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
  }
}

async function readAsset(file: URL): Promise<Asset> {
  const body = await readFile(file)
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream'
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type, etag, body }
}
