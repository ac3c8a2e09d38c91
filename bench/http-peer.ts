import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { DIALECTS } from '../src/emulators/vendor/dialects.ts'
import { startVendorEmulator } from '../src/emulators/vendor/vendor.ts'

/**
 * What stands at both ends of a vendor's line, in a process of its own: a vendor that takes 50 ms to answer and then
 * reports, one message a request, and a customer's endpoint. A line with an address says where the gateway is; after each
 * line it prints their counters.
 */
const LATENCY_MS = 50
const [name, dialect] = ['twilio', DIALECTS.twilio] as const
if (!dialect) throw new Error('unknown vendor')
const vendor = await startVendorEmulator({ name, dialect, port: 0, host: '127.0.0.1' }, () => ({
  made: 'taken',
  ends: ['delivered'],
  delay_ms: LATENCY_MS,
}))
let callbacks = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    callbacks += 1
    response.writeHead(200).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  print({ carrier: vendor.settings('line'), receiver_port: (server.address() as AddressInfo).port })
})
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.startsWith('http')) vendor.reports_to = { url: line, carrier: 'line', public_url: 'http://127.0.0.1:8080' }
  print({ taken: vendor.taken.length, reported: vendor.reported, callbacks })
})

function print(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
