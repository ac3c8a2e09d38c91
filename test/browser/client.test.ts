import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect } from 'vitest'
import { listeningPort } from '../../src/values/listening-port.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { desk } from '../support/desk.ts'
import { temporaryFolder } from '../support/folder.ts'

const at = desk()

/** A customer's own server: a page with the client in it, and one path that sends, with a key the page never sees. */
const shop = createServer((request, response) => void answer(request, response))
let folder: Awaited<ReturnType<typeof temporaryFolder>>

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  if (path === '/sms/send') {
    const headers = { authorization: at.service.key, 'content-type': 'application/json' }
    const sent = await fetch(at.service.url + path, { method: 'POST', headers, body: await text(request) })
    response.writeHead(sent.status, { 'content-type': 'application/json' }).end(await sent.text())
  } else if (path.startsWith('/client/')) {
    response.setHeader('content-type', 'text/javascript')
    response.end(readFileSync(join(folder.path, basename(path))))
  } else {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A shop</title>')
  }
}

beforeAll(async () => {
  folder = await temporaryFolder()
  execFileSync('npx', ['tsc', '-p', 'clients/typescript/tsconfig.json', '--outDir', folder.path])
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
})
afterAll(async () => {
  shop.closeAllConnections()
  shop.close()
  await folder.remove()
})

test('a page of another site cannot use a key, and can ask its own server', async () => {
  const { page, service } = at
  const own = `http://127.0.0.1:${listeningPort(shop)}`
  await page.goto(own)
  const send = (url: string, key: string) =>
    page.evaluate<string>(`(async () => {
      const { Gangan } = await import('/client/index.js')
      const gangan = new Gangan({ url: '${url}', key: '${key}', tries: 1 })
      const message = { recipients: '2348031234567', content: 'From a page', external_ref: 'page' }
      return gangan.sms.send(message).then(({ id }) => id, (fault) => fault.name)
    })()`)
  expect(await send(service.url, service.key)).toBe('ConnectionError')
  const id = await send(own, 'none')
  const { body } = await service.call<{ messages: { id: string }[] }>('GET', '/sms?external_ref=page')
  expect(body.messages.map((message) => message.id)).toEqual([id])
})
