import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { pepperKeys, readPepper } from '../../src/otp/pepper.ts'

let database: TestDatabase
let data_dir: string

beforeAll(async () => {
  database = await freshDatabase()
  data_dir = await mkdtemp(join(tmpdir(), 'gangan-pepper-'))
})
afterAll(async () => {
  await database.drop()
  await rm(data_dir, { recursive: true })
})

const inFolder = () => readPepper(database, { pepper: undefined, database_url: undefined, data_dir })
const onServer = () => readPepper(database, { pepper: undefined, database_url: 'postgres://x', data_dir })

test('is created once and stored in the data folder, readable by its owner only', async () => {
  const [one, ...others] = await Promise.all(Array.from({ length: 10 }, inFolder))
  expect(one).toMatch(/^[\w-]{43}$/)
  expect(new Set([...others, await inFolder()])).toEqual(new Set([one]))
  expect(await readdir(data_dir)).toEqual(['pepper'])
  expect((await stat(join(data_dir, 'pepper'))).mode & 0o777).toBe(0o600)
})

test('is stored in the database if several processes share a server', async () => {
  const [one, ...others] = await Promise.all(Array.from({ length: 10 }, onServer))
  expect(new Set(others)).toEqual(new Set([one]))
  expect(one).not.toBe(await inFolder())
})

test('is the given one, if there is one', async () => {
  const given = { pepper: 'salt and pepper and more', database_url: undefined, data_dir }
  expect(await readPepper(database, given)).toBe(given.pepper)
})

test('derives a key for each use', () => {
  const { pepper_mark, ...keys } = pepperKeys('salt and pepper')
  expect(pepper_mark).toMatch(/^[0-9a-f]{16}$/)
  const { token_key } = keys
  for (const key of Object.values(keys)) expect(key).toHaveLength(32)
  expect(new Set(Object.values(keys).map((key) => key.toString('hex'))).size).toBe(Object.keys(keys).length)
  expect(pepperKeys('salt and pepper').token_key).toEqual(token_key)
})
