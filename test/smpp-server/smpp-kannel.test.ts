import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasKannel, startKannel, type Kannel } from '../../bench/kannel.ts'
import { listeningPort } from '../../src/values/listening-port.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeAccount } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

/** Debian's Kannel as a client. Skipped, and reported as such, without the package `kannel`. */
describe.skipIf(!hasKannel())('Kannel', () => {
  let service: TestService
  let kannel: Kannel
  const received: URLSearchParams[] = []
  const receiver = createServer((request, response) => {
    received.push(new URL(request.url ?? '', 'http://localhost').searchParams)
    response.end('')
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    service = await openService({ settings: { smpp_server: { port: 0 } } })
    const login = await makeAccount(service, { system_id: 'kannel' })
    const url = `http://127.0.0.1:${listeningPort(receiver)}/?what=text&from=%p&text=%a`
    const route = '\ngroup = smsbox-route\nsmsbox-id = bench\nsmsc-id = bench\n'
    const also = `${route}\ngroup = sms-service\nkeyword = default\nget-url = "${url}"\nmax-messages = 0\n`
    kannel = await startKannel(service.smpp_port, { ...login, also })
    await until('Kannel to be bound', async () => (await (await fetch(kannel.status_url)).text()).includes('online'))
  })
  afterAll(async () => {
    await kannel.stop()
    await service.close()
    receiver.close()
  })

  const send = async (text: string, to: string): Promise<number> => {
    const dlr_url = `http://127.0.0.1:${listeningPort(receiver)}/?what=report&to=${to}&state=%d`
    const query = new URLSearchParams({ username: 'bench', password: 'bench', from: 'Gangan', to, text })
    query.append('dlr-mask', '19')
    query.append('dlr-url', dlr_url)
    query.append('charset', 'UTF-8')
    if (/[^ -ÿ€]/.test(text)) query.append('coding', '2')
    return (await fetch(`http://127.0.0.1:${kannel.port}/cgi-bin/sendsms?${query.toString()}`)).status
  }
  const reports = (to: string) => received.filter((one) => one.get('to') === to).map((one) => one.get('state'))
  const contents = async (to: string): Promise<string[]> => {
    const { body } = await service.call<{ messages: { recipients: string[]; content: string }[] }>('GET', '/sms')
    return body.messages.filter(({ recipients }) => recipients[0] === to).map(({ content }) => content)
  }

  test('submits short and long texts in both alphabets, each as one message, and receives their reports', async () => {
    const texts: [string, string][] = [
      ['2348031110001', 'Hello from Kannel @ €5'],
      ['2348031110002', 'A long one. '.repeat(30).trim()],
      ['2348031110003', 'Ẹ káàbọ̀ sí Gangan. '.repeat(10).trim()],
    ]
    for (const [to, text] of texts) expect(await send(text, to)).toBe(202)
    for (const [to, text] of texts) {
      await until(`the report on ${to}`, () => reports(to).includes('1'), 30_000)
      expect(await contents(to)).toEqual([text])
    }
    expect(await send('Unreachable', '2348000000001')).toBe(202)
    await until('the report of a failure', () => reports('2348000000001').includes('2'), 30_000)
  })

  test('receives inbound texts', async () => {
    const from = '+2348031234567'
    expect((await service.call('POST', '/sandbox/reply', { from, to: 'Gangan', text: 'Hello back' })).status).toBe(200)
    const text = await until('the text', () => received.find((one) => one.get('what') === 'text'), 30_000)
    expect([text.get('from'), text.get('text')]).toEqual([from, 'Hello back'])
  })
})
