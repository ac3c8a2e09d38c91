/**
 * A process that floods an SMPP server, apart from the measuring process: opens connections, binds, and writes the same
 * octets as fast as they are accepted, until its input ends. Its plan is its first argument; its last line contains its
 * counters.
 */
import { connect } from 'node:net'

const { port, connections, addresses, bind, flood, answer_deliveries, reconnects } = JSON.parse(process.argv[2])
const bind_octets = bind && Buffer.from(bind, 'hex')
const octets = Buffer.from(flood, 'hex')
const DELIVER_SM = 0x00000005
const RECONNECT_MS = 100
const seen = { sent_bytes: 0, answers: 0, deliveries: 0 }
const sockets = new Set()
let over = false

for (let n = 0; n < connections; n += 1) open(n)
console.log('flooding')

process.stdin.resume().on('end', () => {
  over = true
  for (const socket of sockets) countSent(socket)
  console.log(JSON.stringify(seen))
  process.exit(0)
})

function open(n) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (n % addresses)}` })
  let is_bound = bind_octets === null
  sockets.add(socket)
  let kept = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('connect', () => (is_bound ? write() : socket.write(bind_octets)))
  socket.on('drain', write)
  socket.on('data', (chunk) => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    while (kept.length >= 16 && kept.length >= kept.readUInt32BE(0)) {
      take(kept.subarray(0, kept.readUInt32BE(0)))
      kept = kept.subarray(kept.readUInt32BE(0))
    }
  })
  socket.on('close', () => {
    countSent(socket)
    if (!over && reconnects) setTimeout(() => open(n), RECONNECT_MS)
  })

  function take(pdu) {
    if (pdu.readUInt32BE(4) === DELIVER_SM) {
      seen.deliveries += 1
      if (answer_deliveries) socket.write(answerOf(pdu))
    } else if (is_bound) seen.answers += 1
    else {
      is_bound = true
      write()
    }
  }

  function write() {
    if (over || !is_bound || octets.length === 0) return
    // A connection without a bind is closed after a few PDUs; it is opened again.
    while (!socket.destroyed && socket.write(octets) && bind_octets !== null);
  }
}

/** Octets that have left this process. */
function countSent(socket) {
  if (sockets.delete(socket)) seen.sent_bytes += socket.bytesWritten - socket.writableLength
}

function answerOf(pdu) {
  const answer = Buffer.alloc(17)
  answer.writeUInt32BE(17, 0)
  answer.writeUInt32BE(0x80000005, 4)
  pdu.copy(answer, 12, 12, 16)
  return answer
}
