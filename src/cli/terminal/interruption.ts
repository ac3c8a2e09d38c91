import { OperatorFault } from './operator-fault.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Aborts with the sentence on Ctrl-C or SIGTERM, so that a command can undo what it has begun. */
export function interruption(sentence: string): { signal: AbortSignal; release: () => void } {
  const stop = new AbortController()
  const abort = (): void => stop.abort(new OperatorFault(sentence))
  for (const signal of SIGNALS) process.on(signal, abort)
  return {
    signal: stop.signal,
    release: () => {
      for (const signal of SIGNALS) process.off(signal, abort)
    },
  }
}
