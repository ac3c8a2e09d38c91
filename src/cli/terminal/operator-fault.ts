import { codeOf } from '../../values/thrown.ts'

/** Exit codes of the command line; `docs/cli.md` documents them. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  not_found: 3,
  refused: 4,
  unavailable: 5,
  warning: 10,
  critical: 11,
} as const

export type FaultKind = 'usage' | 'not_found' | 'refused' | 'unavailable'

/** An error that the operator can fix, as one sentence; its kind decides the exit code. */
export class OperatorFault extends Error {
  readonly kind: FaultKind

  constructor(sentence: string, kind: FaultKind = 'refused') {
    super(sentence)
    this.kind = kind
  }
}

/** An option or argument that is not accepted. */
export function usageFault(sentence: string): OperatorFault {
  return new OperatorFault(sentence, 'usage')
}

/** An object or a file that does not exist. */
export function notFound(sentence: string): OperatorFault {
  return new OperatorFault(sentence, 'not_found')
}

/** A file that cannot be opened or read, with the code of the operating system. */
export function unusableFile(path: string, fault: unknown): OperatorFault {
  const sentence = `${path} cannot be used (${codeOf(fault)}).`
  return codeOf(fault) === 'ENOENT' ? notFound(sentence) : new OperatorFault(sentence)
}
