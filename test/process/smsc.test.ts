import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { decodeText } from '../../src/carriers/codec/decode-text.ts'
import { runGangan } from '../support/process.ts'
import { startTestSession } from '../support/smpp.ts'
import { until } from '../support/until.ts'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

test('gangan smsc shows texts, accepts texts to send, and prints its counters at the end', async () => {
  const child = spawn(process.execPath, [MAIN, 'smsc', '--port', '0', '--report-stats', 'UNDELIV:1'])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  const port = await until('its port', () => /SMSC emulator on port (\d+)\./.exec(output)?.[1])
  const session = startTestSession(Number(port))
  await session.bound()
  const short_message = Buffer.from('Hello')
  await session.submit({ source_addr: 'BANK', destination_addr: '234', registered_delivery: 1, short_message })
  await until('the text', () => output.includes('BANK → 234: Hello\n'))
  child.stdin.write('2348031234567 32811 STOP please\n')
  await until('report and text', () => session.delivered.length === 2)
  expect(decodeText(session.delivered[0]!, 'gsm7').text).toContain('stat:UNDELIV')
  expect(session.delivered[1]).toMatchObject({ source_addr: '2348031234567', destination_addr: '32811' })
  expect(decodeText(session.delivered[1]!, 'gsm7').text).toBe('STOP please')
  await session.stop()
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(output).toMatch(/\nsubmits\s+1\n/)
})

test.each([
  [['--errors', 'RNONSENSE:1'], '--errors must be a list of weights, such as RSYSERR:0.01.'],
  [['--cut', '2'], '--cut must be a share between 0 and 1.'],
  [['--latency', 'long'], '--latency must be milliseconds, such as 50 or 20-80.'],
  [['--report-id', 'roman'], '--report-id must be one of decimal, hex, upper_case, zero_padded.'],
  [['--port', 'x'], '--port must be a number, not x.'],
])('gangan smsc %j reports the error', async (args, sentence) => {
  expect(await runGangan(['smsc', ...args], {})).toEqual({ code: 2, stdout: '', stderr: `gangan: ${sentence}\n` })
})
