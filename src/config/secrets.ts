import { readFileSync } from 'node:fs'
import { isRecord } from '../values/record.ts'
import { codeOf } from '../values/thrown.ts'

const LONGEST_SECRET = 2_000

/**
 * The settings file with secrets that it only points to: `client_secret_env` names a variable of the environment,
 * `client_secret_file` a file, as container runtimes provide secrets.
 */
export function withSecrets(env: NodeJS.ProcessEnv, file: unknown): { file: unknown; faults: string[] } {
  const faults: string[] = []
  if (!isRecord(file) || !isRecord(file.sign_in) || !Array.isArray(file.sign_in.providers)) return { file, faults }
  const providers = file.sign_in.providers.map((provider: unknown, n: number) => {
    if (!isRecord(provider)) return provider
    const found = secretOf(env, provider)
    if (found && 'fault' in found) faults.push(`sign_in.providers.${n}.${found.fault}`)
    return found && 'secret' in found ? { ...provider, client_secret: found.secret } : provider
  })
  return { file: { ...file, sign_in: { ...file.sign_in, providers } }, faults }
}

type Found = { secret: string } | { fault: string } | undefined

function secretOf(env: NodeJS.ProcessEnv, provider: Record<string, unknown>): Found {
  const { client_secret, client_secret_env: variable, client_secret_file: path } = provider
  const given = [client_secret, variable, path].filter((one) => one !== undefined)
  if (given.length > 1)
    return { fault: 'client_secret: name one of client_secret, client_secret_env, client_secret_file' }
  if (typeof variable === 'string') {
    const secret = env[variable]
    return secret ? { secret } : { fault: `client_secret_env: ${variable} is not set` }
  }
  return typeof path === 'string' ? readSecret(path) : undefined
}

function readSecret(path: string): Found {
  try {
    const secret = readFileSync(path, 'utf8').trim()
    const fits = secret !== '' && secret.length <= LONGEST_SECRET
    return fits ? { secret } : { fault: `client_secret_file: ${path} is empty or too long` }
  } catch (fault) {
    return { fault: `client_secret_file: ${path} cannot be read (${codeOf(fault)})` }
  }
}
