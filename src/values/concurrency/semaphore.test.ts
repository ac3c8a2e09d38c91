import { expect, test } from 'vitest'
import { makeSemaphore } from './semaphore.ts'

/** Tasks that record their start and end on request. */
function tasks(semaphore: ReturnType<typeof makeSemaphore>) {
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const run = (name: string, key?: string) =>
    semaphore.run(async () => {
      started.push(name)
      await new Promise<void>((resolve) => finish.set(name, resolve))
    }, key)
  const end = async (name: string) => {
    finish.get(name)?.()
    await new Promise(setImmediate)
  }
  return { started, run, end }
}

test('runs as many tasks as it has permits, the others in the order of arrival', async () => {
  const semaphore = makeSemaphore(2)
  const { started, run, end } = tasks(semaphore)
  for (const name of ['a', 'b', 'c', 'd']) void run(name)
  await new Promise(setImmediate)
  expect(started).toEqual(['a', 'b'])
  expect(semaphore.size).toBe(4)
  await end('b')
  await end('a')
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  await end('c')
  await end('d')
  expect(semaphore.size).toBe(0)
})

test('serves the keys round robin: many tasks of one do not delay another', async () => {
  const { started, run, end } = tasks(makeSemaphore(1))
  for (const name of ['a1', 'a2', 'a3']) void run(name, 'a')
  void run('b1', 'b')
  for (const name of ['a1', 'a2', 'b1']) {
    await new Promise(setImmediate)
    await end(name)
  }
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('a task that fails returns its permit', async () => {
  const semaphore = makeSemaphore(1)
  await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await semaphore.run(async () => 'next')).toBe('next')
})

test('runs at most the permits of a key, and other keys beside it', async () => {
  const { started, run, end } = tasks(makeSemaphore(3, 1))
  for (const name of ['a1', 'a2', 'a3']) void run(name, 'a')
  void run('b1', 'b')
  await new Promise(setImmediate)
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  await end('b1')
  await end('a2')
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
})
