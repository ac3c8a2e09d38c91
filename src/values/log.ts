/** The logger that modules receive: pino in the service, any object with the first three methods in tests. */
export type Log = Record<'info' | 'warn' | 'error', (details: object, sentence: string) => void> & {
  /** Like `info`, with the details as the already serialised members of a JSON object; for the request log. */
  written?: (details: string, sentence: string) => void
}
