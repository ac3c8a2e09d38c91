const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '08001', // a node of a cluster cannot be reached
  '08003',
  '08006', // or has broken off
  '57P01', // the server is shutting down
  '57P02', // another server process crashed
  '57P03', // the server is starting up
  '25006', // it may only be read from: another has taken over, and we are still with the old one
  '53100', // its disk is full
  '53200', // it has no memory left
  '53300', // too many connections
  '55000', // the database takes no connections
])

/** The driver gives these no code; the last two are what Citus says when a node is lost in the middle of something. */
const SENTENCES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|failure on connection marked as essential|postmaster was shut down)/

/** True when the fault is that the database cannot be reached or cannot work, not that a statement was wrong. */
export function isDatabaseUnreachable(fault: unknown): boolean {
  const { code, message, cause } = (fault ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  if (typeof code === 'string' && CODES.has(code)) return true
  if (typeof message === 'string' && SENTENCES.test(message)) return true
  return cause !== undefined && isDatabaseUnreachable(cause)
}

/** Of these one hears before the statement has left. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', '57P03', '53300', '55000'])

/** True when the database was lost in the middle of a statement: it may be committed although we have not heard of it. */
export function mayHaveBeenDone(fault: unknown): boolean {
  const { code, message } = (fault ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && NEVER_SENT.has(code)) return false
  return isDatabaseUnreachable(fault) && !String(message).startsWith('timeout exceeded when trying to connect')
}
