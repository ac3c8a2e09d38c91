import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { configWarnings } from '../config/warnings.ts'
import { makeChecks, type Check, type Finding } from '../status/check.ts'
import { form, type Command } from './terminal/command.ts'
import { shownFindings } from './terminal/findings.ts'
import type { Result } from './terminal/result.ts'

const TIMEOUT_MS = 5_000

/** Checks a configuration without starting anything. */
export const configCommand: Command = [
  form(
    'check [FILE]',
    'check a configuration file, or that of GANGAN_CONFIG, with the environment; starts and writes nothing',
    {},
    (_, file) => check(file),
    ['gangan config check', 'gangan config check /etc/gangan/gangan.yaml.new'],
  ),
]

/** Errors are thrown, all in one message; what is found beyond them are warnings. */
async function check(file: string | undefined): Promise<Result> {
  const env = file === undefined ? process.env : { ...process.env, GANGAN_CONFIG: file }
  const config = readConfig(env)
  const { settings, sandbox } = config
  const summary: Finding = {
    level: 'ok',
    summary: `${env.GANGAN_CONFIG ? resolve(env.GANGAN_CONFIG) : 'The configuration without a file'} is valid: ${
      sandbox ? 'sandbox' : 'live'
    }, ${[
      counted(settings.carriers.length, 'carrier'),
      counted(settings.routes.length, 'route'),
      counted(settings.prices.length, 'price'),
    ].join(', ')}.`,
  }
  const checks: Check<undefined>[] = [
    {
      name: 'configuration',
      section: 'The service does not start',
      find: async () => [...(await configWarnings(env, config)), summary],
    },
  ]
  return shownFindings(await makeChecks(checks, undefined, { timeout_ms: TIMEOUT_MS, max_findings: Infinity }))
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
