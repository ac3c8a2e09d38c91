import { codeOf, messageOf } from '../values/thrown.ts'

/** What the errors of a connection mean for an operator: SQLSTATEs, and codes of Node. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server accepts connections there',
  ECONNRESET: 'the server closed the connection',
  ENOENT: 'the socket of the server does not exist',
  ENOTFOUND: 'the name of the host is unknown',
  EAI_AGAIN: 'the name server does not answer',
  ETIMEDOUT: 'the server does not answer',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  '08001': 'a node of the cluster is unreachable',
  '08006': 'the connection broke',
  '25006': 'it is read-only: perhaps a standby',
  '28000': 'it does not admit this user from here: see its pg_hba.conf',
  '28P01': 'the password is wrong',
  '3D000': 'the database does not exist',
  '42501': 'the user lacks a privilege',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'all its connections are in use',
  '55000': 'the database accepts no connections',
  '57P01': 'it is shutting down',
  '57P02': 'it is recovering from a crash',
  '57P03': 'it is starting up',
}

/** An error of the database in words, with its code. */
export function faultInWords(fault: unknown): string {
  const code = codeOf(fault)
  const words = code === undefined ? undefined : WORDS[code]
  if (words !== undefined) return `${words}: ${code}`
  const message = messageOf(fault)
  return code === undefined ? message : `${message}: ${code}`
}
