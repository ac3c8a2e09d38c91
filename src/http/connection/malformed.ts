import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '../../values/id.ts'
import { HEADERS } from '../observe.ts'

const BY_CODE: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not come in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The head of the request is too large.' },
}
const UNREADABLE = { status: 400, message: 'The request cannot be read.' }

/** Answers bytes that are not an HTTP request, and closes the connection. */
export function answerMalformed(fault: Error & { code?: string }, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(written(BY_CODE[fault.code ?? ''] ?? UNREADABLE))
  socket.destroy(fault)
}

function written(answer: { status: number; message: string }): string {
  const body = JSON.stringify(answer)
  const headers = {
    'x-request-id': newId(),
    ...HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${body}`
}
