import { createInterface } from 'node:readline'
import { isRecord } from '../../values/record.ts'
import { codeOf } from '../../values/thrown.ts'
import { OperatorFault, usageFault } from '../terminal/operator-fault.ts'

/** The options of an emulator, as given on the command line. */
export type OptionValues<Name extends string> = { [name in Name]?: string }

export function readNumber<Name extends string>(values: OptionValues<Name>, name: Name, otherwise: number): number {
  const text = values[name]
  if (text === undefined) return otherwise
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw usageFault(`--${name} must be a number, not ${text}.`)
  return Number(text)
}

export function readInteger<Name extends string>(
  values: OptionValues<Name>,
  name: Name,
  otherwise: number,
  max: number,
): number {
  const number = readNumber(values, name, otherwise)
  if (Number.isInteger(number) && number <= max) return number
  throw usageFault(`--${name} must be an integer up to ${max}, not ${values[name]}.`)
}

export function readShare<Name extends string>(values: OptionValues<Name>, name: Name): number {
  const share = readNumber(values, name, 0)
  if (share > 1) throw usageFault(`--${name} must be a share between 0 and 1.`)
  return share
}

export function explainListenFault(fault: unknown): never {
  const code = codeOf(fault)
  if (code !== 'EADDRINUSE' && code !== 'EACCES') throw fault
  throw new OperatorFault(`Port ${isRecord(fault) ? String(fault.port) : ''} cannot be used (${code}).`, 'unavailable')
}

/**
 * Sends lines of standard input as texts from a handset, until SIGINT or SIGTERM. A process in the background has no
 * standard input and runs without it.
 */
export async function readTextsUntilStopped(
  line_form: 'FROM TEXT' | 'FROM TO TEXT',
  send: (from: string, to: string, text: string) => void,
): Promise<void> {
  const with_to = line_form === 'FROM TO TEXT'
  const pattern = with_to ? /^\s*(\S+)\s+(\S+)\s+(.+)$/ : /^\s*(\S+)()\s+(.+)$/
  const example = with_to ? '2348031234567 32811 STOP' : '2348031234567 STOP'
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const [, from = '', to = '', text = ''] = pattern.exec(line) ?? []
    if (text === '') process.stdout.write(`Write ${line_form}, such as: ${example}\n`)
    else send(from, to, text)
  })
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  lines.close()
}
