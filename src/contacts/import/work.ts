import type { Worker } from '../../queue/worker.ts'

export function startImports(_deps: object): Worker {
  return { stop: async () => {} }
}
