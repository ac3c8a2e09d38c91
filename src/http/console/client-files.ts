import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { packageFile } from '../../values/package-files.ts'

export type Asset = { type: string; etag: string; body: Buffer; gzip?: Buffer; br?: Buffer }
export type ReadClient = () => Promise<ReadonlyMap<string, Asset> | undefined>

const FOLDER = packageFile('dist/console/')
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
/** Levels 10 and 11 take ten times as long for a few per cent. */
const QUALITY = 9

export const readClient: ReadClient = makeReadClient(FOLDER)

/**
 * The files of the built console, held in memory and reloaded after a new build. They are compressed in the background,
 * once.
 */
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
  // Not awaited: until a file is compressed it is served as it is.
  compressAll(assets.map(([, asset]) => asset)).catch(() => {}) // served uncompressed
  return new Map(assets)
}

/** One at a time, to leave the thread pool to other work. */
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
