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
  '28000', // the server does not admit us any more
  '28P01', // the password has changed
  '3D000', // the database does not exist
  '25006', // read-only: a failover has happened and this is the old primary
  '53100', // its disk is full
  '53200', // it has no memory left
  '53300', // too many connections
  '55000', // the database takes no connections
])

/** Messages of errors without a code; the last two are Citus's when a node is lost during a statement. */
const SENTENCES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|failure on connection marked as essential|postmaster was shut down)/

/** Whether the database cannot be reached or cannot work, as opposed to a faulty statement. */
export function isDatabaseUnreachable(fault: unknown): boolean {
  const { code, message, cause } = (fault ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  if (typeof code === 'string' && CODES.has(code)) return true
  if (typeof message === 'string' && SENTENCES.test(message)) return true
  return cause !== undefined && isDatabaseUnreachable(cause)
}

/** Errors that occur before the statement is sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '28000',
  '28P01',
  '3D000',
  '57P03',
  '53300',
  '55000',
])

/** Whether the connection was lost during a statement, which may have been committed. */
export function mayHaveBeenDone(fault: unknown): boolean {
  const { code, message } = (fault ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && NEVER_SENT.has(code)) return false
  return isDatabaseUnreachable(fault) && !String(message).startsWith('timeout exceeded when trying to connect')
}
