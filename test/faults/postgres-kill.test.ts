import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { startGangan } from '../support/process.ts'
import { until } from '../support/until.ts'

/** The embedded PostgreSQL of a data folder: the process that has the folder in its command line. */
function postmasterOf(folder: string): number {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return Number(
    lines
      .find((line) => line.includes(` -D ${folder}/`))
      ?.trim()
      .split(' ')[0],
  )
}

test('PostgreSQL killed under a running service is restarted, and every answered message is stored', async () => {
  const folder = await temporaryFolder()
  const gangan = await startGangan({ GANGAN_DATA: folder.path, GANGAN_CREDIT: '100000' })
  const call = caller(gangan.url, gangan.key ?? '')
  const answered: string[] = []
  const statuses = new Set<number>()

  for (let round = 0; round < 2; round += 1) {
    const killed = postmasterOf(folder.path)
    let running = true
    const sending = Array.from({ length: 8 }, async () => {
      while (running) {
        const { status, body } = await call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
        statuses.add(status)
        if (status === 200) answered.push(String(body.id))
        else await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    const before = answered.length
    await until('messages before the kill', () => answered.length > before + 50)
    process.kill(killed, 'SIGKILL')
    const at_kill = answered.length
    await until('messages after the kill', () => answered.length > at_kill + 50, 40_000)
    running = false
    await Promise.all(sending)
    expect(postmasterOf(folder.path)).not.toBe(killed)
  }

  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  for (const id of answered) expect((await call('GET', `/sms/${id}`)).status).toBe(200)
  const { body } = await call<{ balance: number }>('GET', '/balance')
  const stored = (100_000 - body.balance) / 4
  expect(stored).toBeGreaterThanOrEqual(answered.length) // A message whose response was lost with the connection is charged.
  expect(await gangan.end('SIGTERM')).toBe(0)
  await folder.remove()
})
