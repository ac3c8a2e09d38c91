/** What rooms need of a log. The process hands down pino; a test may hand down anything with the first three. */
export type Log = Record<'info' | 'warn' | 'error', (details: object, sentence: string) => void> & {
  /** The same as `info`, with the details as the inside of a JSON object: for what is logged with every request. */
  written?: (details: string, sentence: string) => void
}
