import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, hasKannel, startKannel, type Kannel } from '../../bench/kannel.ts'
import { listeningPort } from '../../src/values/listening-port.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Debian's Kannel, with our `sendsms` as its message centre. Without the package `kannel` this is left out, and said so. */
describe.skipIf(!hasKannel())('Kannel as an HTTP client', () => {
  let service: TestService
  let kannel: Kannel
  const reported: URLSearchParams[] = []
  const receiver = createServer((request, response) => {
    reported.push(new URL(request.url ?? '', 'http://localhost').searchParams)
    response.end('')
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    service = await openService()
    const port = await freePort()
    const smsc = (id: string, more = '') => `
group = smsc
smsc = http
smsc-id = ${id}
allowed-smsc-id = ${id}
system-type = kannel
send-url = "${service.url}/cgi-bin/sendsms"
smsc-username = kannel
smsc-password = "${service.key}"
connect-allow-ip = "127.0.0.1"
${more}
`
    const own_reports = `port = ${port}\ndlr-url = "http://127.0.0.1:${port}/sms?username=kannel&password=${service.key}&to=%P"`
    kannel = await startKannel(0, { smsc: smsc('direct', `port = ${await freePort()}`) + smsc('through', own_reports) })
  })
  afterAll(async () => {
    await kannel.stop()
    await service.close()
    receiver.close()
  })

  const send = async (smsc: string, text: string, to: string, more: Record<string, string> = {}): Promise<number> => {
    const dlr_url = `http://127.0.0.1:${listeningPort(receiver)}/?to=${to}&state=%d`
    const fields = { username: 'bench', password: 'bench', from: 'Gangan', smsc, to, text, charset: 'UTF-8' }
    const query = new URLSearchParams({ ...fields, 'dlr-mask': '27', 'dlr-url': dlr_url, ...more })
    if (/[^ -ÿ€]/.test(text)) query.append('coding', '2')
    return (await fetch(`http://127.0.0.1:${kannel.port}/cgi-bin/sendsms?${query.toString()}`)).status
  }
  const reports = (to: string) => reported.filter((one) => one.get('to') === to).map((one) => one.get('state'))
  const contents = async (to: string): Promise<string[]> => {
    const { body } = await service.call<{ messages: { recipients: string[]; content: string }[] }>(
      'GET',
      '/sms?limit=100',
    )
    return body.messages.filter(({ recipients }) => recipients[0] === to).map(({ content }) => content)
  }

  const TEXTS = [
    ['a short text', 'Hello from Kannel @ €5'],
    ['a long text', 'A long one. '.repeat(30).trim()],
    ['a long Yoruba text', 'Ẹ káàbọ̀ sí Gangan. '.repeat(10).trim()],
    ['a long text of emoji', `a${'😀👋'.repeat(50)}`],
  ] as const

  describe.each([
    ['reported to the sender', 'direct', '1'],
    ['reported through Kannel', 'through', '2'],
  ] as const)('%s', (_, smsc, digit) => {
    test.each(TEXTS.map(([name, text], n) => [name, text, `23480311${digit}000${n}`] as const))(
      'sends %s as one message',
      async (__, text, to) => {
        expect(await send(smsc, text, to)).toBe(202)
        await until(`the report on ${to}`, () => reports(to).includes('1'), 30_000)
        expect(await contents(to)).toEqual([text])
        expect(reports(to)).not.toContain('16')
        expect(reports(to).filter((state) => state === '1')).toHaveLength(1)
      },
    )
  })

  test('sees a deferred text accepted', async () => {
    const to = '2348031130000'
    expect(await send('direct', 'Later', to, { deferred: '60' })).toBe(202)
    // 8: the message centre has it; 16: it was refused.
    await until('the answer', () => reports(to).length > 0, 30_000)
    expect(reports(to)).toEqual(['8'])
    expect(await contents(to)).toEqual(['Later'])
  })
})
