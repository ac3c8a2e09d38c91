import { expect, test } from 'vitest'
import { makeExportLimit } from './export-limit.ts'

async function* lines(fails = false): AsyncGenerator<string> {
  yield 'one'
  if (fails) throw new Error('away')
  yield 'two'
}

const refused = expect.objectContaining({ code: 'too_many_requests', retry_after_s: 5 })

test('an organisation has one export at a time, and the process three', async () => {
  const inTurn = makeExportLimit()
  const a = await inTurn('a', async () => lines())
  await inTurn('b', async () => lines())
  await expect(inTurn('a', async () => lines())).rejects.toEqual(refused)
  await inTurn('c', async () => lines())
  await expect(inTurn('d', async () => lines())).rejects.toEqual(refused)
  const read: string[] = []
  for await (const line of a) read.push(line)
  expect(read).toEqual(['one', 'two'])
  await inTurn('d', async () => lines())
})

test.each([
  ['left before it began', async (given: AsyncGenerator<string>) => void (await given.return(undefined))],
  [
    'left in the middle',
    async (given: AsyncGenerator<string>) => {
      await given.next()
      await given.return(undefined)
    },
  ],
])('the next may begin when one was %s', async (_how, leave) => {
  const inTurn = makeExportLimit()
  await leave(await inTurn('a', async () => lines()))
  expect(await (await inTurn('a', async () => lines())).next()).toEqual({ done: false, value: 'one' })
})

test('the next may begin when one has failed, or never began', async () => {
  const inTurn = makeExportLimit()
  const failing = await inTurn('a', async () => lines(true))
  await failing.next()
  await expect(failing.next()).rejects.toThrow('away')
  const never = inTurn('a', async () => {
    throw new Error('no such number')
  })
  await expect(never).rejects.toThrow('no such number')
  await inTurn('a', async () => lines())
})
