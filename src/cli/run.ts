import { ConfigFault } from '../config/config.ts'
import { EmbeddedFault } from '../db/embedded/start.ts'
import { NewerSchema } from '../db/migrate.ts'
import { airtime } from './airtime.ts'
import { balance } from './balance.ts'
import { callbacks } from './callbacks.ts'
import { carriers } from './carriers.ts'
import { HELP } from './help.ts'
import { inbound } from './inbound.ts'
import { keys } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { numbers } from './numbers.ts'
import { OperatorFault } from './operator-fault.ts'
import { organisations } from './organisations.ts'
import { otp } from './otp.ts'
import { senders } from './senders.ts'
import { serve } from './serve.ts'
import { smsc } from './smsc.ts'
import { whatsapp } from './whatsapp.ts'
import { users } from './users.ts'

const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  serve,
  migrate: migrateCommand,
  organisations,
  keys,
  callbacks,
  balance,
  otp,
  senders,
  inbound,
  airtime,
  numbers,
  carriers,
  smsc,
  whatsapp,
  users,
}

/** Runs a command and returns the exit code. What the operator can mend is one sentence; anything else is a bug. */
export async function run([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP)
    return 0
  }
  const command = COMMANDS[name]
  if (!command) {
    process.stderr.write(`gangan: there is no command ${name}; gangan --help lists them.\n`)
    return 1
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP)
    return 0
  }
  try {
    await command(args)
    return 0
  } catch (fault) {
    process.stderr.write(`gangan: ${isForOperator(fault) ? fault.message : (fault as Error).stack}\n`)
    return 1
  }
}

function isForOperator(fault: unknown): fault is Error {
  const for_operator = [OperatorFault, ConfigFault, EmbeddedFault, NewerSchema]
  // parseArgs throws TypeErrors with a code and a sentence of its own.
  const of_arguments = String((fault as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
  return of_arguments || for_operator.some((kind) => fault instanceof kind)
}
