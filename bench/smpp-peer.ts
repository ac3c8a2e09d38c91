import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSmsc } from '../src/emulators/smsc/smsc.ts'

/**
 * What stands at both ends of the line, in a process of its own: a message centre that takes, answers and reports at
 * once, and a customer's endpoint. Prints their ports, and after each line on standard input what they have counted.
 */
const smsc = await startSmsc({ remember: 20_000, latency_ms: [0, 0] })
let callbacks = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    callbacks += 1
    response.writeHead(200).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  print({ smsc_port: smsc.port, receiver_port: (server.address() as AddressInfo).port })
})
process.stdin.on('data', () => print({ ...smsc.counts, callbacks }))

function print(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
