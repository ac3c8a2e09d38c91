import { ConfigFault } from '../config/config.ts'
import { EmbeddedFault } from '../db/embedded/start.ts'
import { NewerSchema } from '../db/migrate.ts'
import { airtime } from './airtime.ts'
import { balance } from './balance.ts'
import { callbacks } from './callbacks.ts'
import { carriers } from './carriers/carriers.ts'
import { runCommand, type Command } from './command.ts'
import { HELP } from './help.ts'
import { hooks } from './hooks.ts'
import { importCommand } from './import.ts'
import { inbound } from './inbound.ts'
import { keys } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { nearest } from './nearest.ts'
import { numbers } from './numbers.ts'
import { OperatorFault } from './operator-fault.ts'
import { organisations } from './organisations.ts'
import { otp } from './otp.ts'
import { phone } from './stand-ins/phone.ts'
import { phones } from './carriers/phones.ts'
import { senders } from './senders.ts'
import { serve } from './serve.ts'
import { smsc } from './stand-ins/smsc.ts'
import { whatsapp } from './carriers/whatsapp.ts'
import { vendor } from './stand-ins/vendor.ts'
import { users } from './users.ts'
import { asError } from '../values/thrown.ts'

/** Every command with all that may be said behind it. */
export const COMMANDS: Readonly<Record<string, Command>> = {
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
  import: importCommand,
  hooks,
  carriers,
  smsc,
  vendor,
  whatsapp,
  phones,
  phone,
  users,
}

/** Runs a command and returns the exit code. What the operator can mend is one sentence; anything else is a bug. */
export async function run([name, ...args]: string[]): Promise<number> {
  try {
    const help = name === undefined || HELPS.includes(name)
    const asked = help ? args[0] : name
    const command = asked === undefined ? undefined : commandOf(asked)
    if (help || !command || args.some((arg) => HELPS.includes(arg) && arg.startsWith('-'))) process.stdout.write(HELP)
    else await runCommand(name, command, args)
    return 0
  } catch (fault) {
    const told = isForOperator(fault) ? fault.message : asError(fault).stack
    process.stderr.write(`gangan: ${told}\n`)
    return 1
  }
}

const HELPS = ['help', '--help', '-h']

function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command
  const meant = nearest(name, Object.keys(COMMANDS))
  const help = meant ? `did you mean ${meant}?` : 'gangan --help lists them.'
  throw new OperatorFault(`there is no command ${name}; ${help}`)
}

function isForOperator(fault: unknown): fault is Error {
  return [OperatorFault, ConfigFault, EmbeddedFault, NewerSchema].some((kind) => fault instanceof kind)
}
