import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { spawnGangan } from '../support/process.ts'

test('serve does not start with a backups.folder that cannot be written, and says so', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'gangan.yaml')
  const place = join(file, 'backups')
  await writeFile(file, `backups: { folder: ${JSON.stringify(place)} }\n`)
  const { code, stdout, stderr } = await spawnGangan(['serve'], { GANGAN_CONFIG: file, GANGAN_DATA: folder.path })
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
  expect(stderr).toBe(`gangan: backups.folder: no file can be written to ${place} (ENOTDIR).\n`)
  await folder.remove()
})
