import type { Agent } from 'undici'
import { messageOf } from '../thrown.ts'
import { describeFailure, type HttpFailure } from './exchange.ts'

export type StreamRequest = { url: string; headers: Record<string, string> }

export type StreamedAnswer = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  content: AsyncIterable<Buffer>
}

/**
 * A GET whose answer is read while it arrives. A fault of `read` rejects; the answer is then aborted. Any failure of the
 * exchange is returned, also if it interrupts `read`.
 */
export async function streamAnswer<T>(
  agent: Agent,
  { url, headers }: StreamRequest,
  signal: AbortSignal,
  read: (answer: StreamedAnswer) => Promise<T>,
): Promise<{ kind: 'read'; value: T } | HttpFailure> {
  let broken: unknown
  async function* contentOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const piece of body) yield piece
    } catch (fault) {
      broken = fault
      throw fault
    }
  }
  try {
    const { origin, pathname, search } = new URL(url)
    const answer = await agent.request({ origin, path: pathname + search, method: 'GET', headers, signal })
    answer.body.on('error', () => {}) // `read` may end before the answer does
    try {
      const content = contentOf(answer.body)
      return { kind: 'read', value: await read({ status: answer.statusCode, headers: answer.headers, content }) }
    } catch (fault) {
      if (fault !== broken) throw new ReadFault(fault)
      throw fault
    } finally {
      answer.body.destroy()
    }
  } catch (fault) {
    if (fault instanceof ReadFault) throw fault.cause
    const reason: unknown = signal.reason
    if (signal.aborted) return { kind: 'lost', description: messageOf(reason) || 'aborted' }
    return describeFailure(fault)
  }
}

/** What `read` has thrown. */
class ReadFault extends Error {
  constructor(cause: unknown) {
    super('', { cause })
  }
}
