import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderOnDisk } from '../test/support/folder.ts'
import type { Result } from './load.ts'
import { freePort } from './kannel.ts'
import { runLoad, runSmppLoad, serveGangan, type Served } from './processes.ts'
import type { Figure } from './sends.ts'
import type { SmppTask } from './smpp-load.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const SINGLE = '{"recipients":"234803#######","content":"Your order is on its way."}'
const HIGH = {
  rate_per_s: 10_000,
  rate_per_s_per_organisation: 100_000,
  window_size: 1_000,
  window_per_organisation: 100_000,
}

/** Customers that submit over SMPP, beside our own HTTP interface: charged and on disk before either answers. */
export async function benchSmppServer(): Promise<Figure[]> {
  const folder = await folderOnDisk()
  const smpp_port = await freePort()
  const file = join(folder.path, 'gangan.json')
  await writeFile(file, JSON.stringify({ smpp_server: { port: smpp_port, limits: HIGH } }))
  const gangan = await serveGangan({ GANGAN_CONFIG: file })
  const logins: SmppTask['logins'] = []
  for (let n = 0; n < 10; n += 1) logins.push(await makeLogin(gangan))
  const over = (binds: number, window: number) =>
    runSmppLoad({ port: smpp_port, logins: logins.slice(0, binds), window, seconds: SECONDS })
  const one = await over(1, 10)
  const wide = await over(1, 100)
  const ten = await over(10, 10)
  const headers = { authorization: gangan.key }
  const http = await runLoad({
    port: gangan.port,
    path: '/sms/send',
    body: SINGLE,
    connections: 100,
    seconds: SECONDS,
    headers,
  })
  await gangan.stop()
  await folder.remove()
  return [
    { name: 'one bind, window 10', figure: line(one) },
    { name: 'one bind, window 100', figure: line(wide) },
    { name: 'ten binds, window 10', figure: line(ten) },
    { name: 'our own HTTP interface, 100 connections', figure: line(http) },
    { name: '  ten binds against it', figure: `${(rateOf(ten) / rateOf(http)).toFixed(2)} ×` },
  ]
}

async function makeLogin({ url, key }: Served): Promise<{ system_id: string; password: string }> {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const response = await fetch(`${url}/smpp/accounts`, { method: 'POST', headers, body: JSON.stringify(HIGH) })
  const { system_id, password } = (await response.json()) as { system_id: string; password: string }
  return { system_id, password }
}

function rateOf({ requests, seconds }: Result): number {
  return requests / seconds
}

function line(result: Result): string {
  const failed = result.failures > 0 ? `, ${result.failures} FAILED` : ''
  const rate = Math.round(rateOf(result)).toLocaleString('en')
  return `${rate} messages/s, p50 ${result.p50_ms} ms, p99 ${result.p99_ms} ms${failed}`
}
