import { expect, test, vi } from 'vitest'
import { makeFileTurns, type FileTurns } from './file-turns.ts'

/** Files whose parts are read when they are let through, and what was begun so far. */
function makeFiles() {
  const begun: string[] = []
  const open: (() => void)[] = []
  const left: string[] = []
  async function* file(name: string, parts = 2): AsyncGenerator<string> {
    try {
      for (let n = 1; n <= parts; n += 1) {
        begun.push(`${name}${n}`)
        await new Promise<void>((resolve) => open.push(resolve))
        yield `${name}${n}`
      }
    } finally {
      left.push(name)
    }
  }
  const letThrough = async (): Promise<void> => {
    await new Promise(setImmediate)
    open.shift()?.()
    await new Promise(setImmediate)
  }
  return { begun, left, file, letThrough }
}

async function readAll(turns: FileTurns, owner: string, file: AsyncGenerator<string>): Promise<string> {
  let read = ''
  for await (const part of turns(owner, file)) read += part
  return read
}

test('a few parts are read at once, and the organisations take turns', async () => {
  const turns = makeFileTurns(2)
  const { begun, file, letThrough } = makeFiles()
  const files = ['a', 'b', 'c', 'd'].map((name) => readAll(turns, 'one', file(name)))
  files.push(readAll(turns, 'other', file('x')))
  await new Promise(setImmediate)
  expect(begun).toEqual(['a1', 'b1'])
  await letThrough()
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  await letThrough()
  expect(begun).toEqual(['a1', 'b1', 'c1', 'x1'])
  for (let n = 0; n < 8; n += 1) await letThrough()
  expect(await Promise.all(files)).toEqual(['a1a2', 'b1b2', 'c1c2', 'd1d2', 'x1x2'])
})

test('one that is left, or fails, makes room for the next', async () => {
  const turns = makeFileTurns(1)
  const { left, file, letThrough } = makeFiles()
  const first = turns('one', file('a'))
  const part = first.next()
  await letThrough()
  expect(await part).toEqual({ done: false, value: 'a1' })
  await first.return(undefined)
  expect(left).toEqual(['a'])
  async function* broken(): AsyncGenerator<string> {
    yield await Promise.reject<string>(new Error('away'))
  }
  await expect(readAll(turns, 'one', broken())).rejects.toThrow('away')
  const last = readAll(turns, 'two', file('b', 1))
  await new Promise(setImmediate)
  await letThrough()
  expect(await last).toBe('b1')
})

test('one that is taken slowly holds up nobody', async () => {
  const turns = makeFileTurns(1)
  const { file, letThrough } = makeFiles()
  const slow = turns('one', file('a'))
  const part = slow.next()
  await letThrough()
  await part
  const other = readAll(turns, 'two', file('b', 1))
  await new Promise(setImmediate)
  await letThrough()
  expect(await other).toBe('b1')
  await slow.return(undefined)
})

test('a file that is left before it was begun is told so', async () => {
  const turns = makeFileTurns(1)
  const { file } = makeFiles()
  const given = file('a')
  const leave = vi.spyOn(given, 'return')
  await turns('one', given).return(undefined)
  expect(leave).toHaveBeenCalledTimes(1)
})
