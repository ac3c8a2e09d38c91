import { expect, test, vi } from 'vitest'
import { makeFileReads, type FileReads } from './file-reads.ts'

/** Files whose parts are read on demand, and the reads started so far. */
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

async function readAll(reads: FileReads, owner: string, file: AsyncGenerator<string>): Promise<string> {
  let read = ''
  for await (const part of reads(owner, file)) read += part
  return read
}

test('reads a bounded number of parts concurrently, in round robin over the organisations', async () => {
  const reads = makeFileReads(2)
  const { begun, file, letThrough } = makeFiles()
  const files = ['a', 'b', 'c', 'd'].map((name) => readAll(reads, 'one', file(name)))
  files.push(readAll(reads, 'other', file('x')))
  await new Promise(setImmediate)
  expect(begun).toEqual(['a1', 'b1'])
  await letThrough()
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  await letThrough()
  expect(begun).toEqual(['a1', 'b1', 'c1', 'x1'])
  for (let n = 0; n < 8; n += 1) await letThrough()
  expect(await Promise.all(files)).toEqual(['a1a2', 'b1b2', 'c1c2', 'd1d2', 'x1x2'])
})

test('a file that is abandoned or fails releases its permit', async () => {
  const reads = makeFileReads(1)
  const { left, file, letThrough } = makeFiles()
  const first = reads('one', file('a'))
  const part = first.next()
  await letThrough()
  expect(await part).toEqual({ done: false, value: 'a1' })
  await first.return(undefined)
  expect(left).toEqual(['a'])
  async function* broken(): AsyncGenerator<string> {
    yield await Promise.reject<string>(new Error('away'))
  }
  await expect(readAll(reads, 'one', broken())).rejects.toThrow('away')
  const last = readAll(reads, 'two', file('b', 1))
  await new Promise(setImmediate)
  await letThrough()
  expect(await last).toBe('b1')
})

test('a slow client delays no other file', async () => {
  const reads = makeFileReads(1)
  const { file, letThrough } = makeFiles()
  const slow = reads('one', file('a'))
  const part = slow.next()
  await letThrough()
  await part
  const other = readAll(reads, 'two', file('b', 1))
  await new Promise(setImmediate)
  await letThrough()
  expect(await other).toBe('b1')
  await slow.return(undefined)
})

test('return() before the first read reaches the file', async () => {
  const reads = makeFileReads(1)
  const { file } = makeFiles()
  const given = file('a')
  const leave = vi.spyOn(given, 'return')
  await reads('one', given).return(undefined)
  expect(leave).toHaveBeenCalledTimes(1)
})
