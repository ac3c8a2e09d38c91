import { Agent } from 'undici'
import { exchange, type VendorAnswer, type VendorCall } from './vendor-exchange.ts'

export type { VendorAnswer, VendorCall }

/** How a vendor's HTTP interface is called. Never follows redirects, never tries again by itself. */
export type VendorHttp = {
  call(asked: VendorCall): Promise<VendorAnswer>
  /** Breaks off every call under way. */
  stop(): Promise<void>
}

const CONNECTIONS = 64

export function makeVendorHttp({
  timeout_ms,
  connections = CONNECTIONS,
}: {
  timeout_ms: number
  /** At once, at most. */
  connections?: number
}): VendorHttp {
  const agent = new Agent({
    connections,
    pipelining: 1,
    // One clock of our own covers the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: Math.min(timeout_ms / 2, 10_000) },
  })
  const under_way = new Set<(why: string) => void>()
  const places = makePlaces(connections)

  function call(asked: VendorCall): Promise<VendorAnswer> {
    return new Promise((resolve) => {
      let breakOff: ((why: string) => void) | undefined
      const timer = setTimeout(() => giveUp(`no answer within ${timeout_ms / 1_000} s`), timeout_ms)
      under_way.add(giveUp)
      const leave = places.enter(() => {
        breakOff = () => {} // what ends at once has nothing to be broken off
        breakOff = exchange(agent, asked, (answer) => {
          places.give()
          end(answer)
        })
      })

      function giveUp(why: string): void {
        if (breakOff) return breakOff(why)
        leave()
        end({ kind: 'unreached', description: 'no connection was free' })
      }

      function end(answer: VendorAnswer): void {
        clearTimeout(timer)
        under_way.delete(giveUp)
        resolve(answer)
      }
    })
  }

  return {
    call,
    async stop() {
      for (const giveUp of under_way) giveUp('broken off because the service stops')
      await agent.destroy()
    },
  }
}

/**
 * Who finds no connection free waits here, and not in undici's own queue: of what is given up here it is certain that
 * the vendor has not seen it. Gives who enters a way to leave.
 */
function makePlaces(count: number): { enter(onPlace: () => void): () => void; give(): void } {
  const waiting = new Set<() => void>()
  let free = count
  return {
    enter(onPlace) {
      if (free === 0) {
        waiting.add(onPlace)
        return () => waiting.delete(onPlace)
      }
      free -= 1
      onPlace()
      return () => {}
    },
    give() {
      const [next] = waiting
      if (!next) free += 1
      else {
        waiting.delete(next)
        next()
      }
    },
  }
}
