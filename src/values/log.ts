/** What rooms need of a log. The process hands down pino; a test may hand down anything with these three. */
export type Log = Record<'info' | 'warn' | 'error', (details: object, sentence: string) => void>
