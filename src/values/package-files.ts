import { existsSync } from 'node:fs'

/** A file or folder of this package that is not code: migrations, functions, tables, documents, the built console. */
export const packageFile = (path: string): URL => new URL(path, ROOT)

/** The folder with package.json: modules are at different depths in `src` and in `dist`, where they are bundled. */
const ROOT = findRoot(new URL('.', import.meta.url))

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const parent = new URL('..', folder)
  if (parent.href === folder.href) throw new Error('The package has no package.json.')
  return findRoot(parent)
}
