import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { NotCovered } from '../../db/archive/coverage.ts'
import { UnusableBackup } from '../../db/backup/format.ts'
import { RestoreFault } from '../../db/backup/restore.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { pepperFile, pepperKeys, readIfThere } from '../../otp/pepper.ts'
import { auditAll } from '../organisations/balance.ts'
import { flag, valued } from '../terminal/command.ts'
import { OperatorFault, unusableFile } from '../terminal/operator-fault.ts'
import { isRecord } from '../../values/record.ts'
import { asError } from '../../values/thrown.ts'

export const RESTORE_OPTIONS = {
  pepper: valued('FILE', 'the pepper of the installation it was taken from'),
  'new-pepper': flag('do without it: secrets sealed with it are lost'),
  'accept-faults': flag('restore even if the audit of the ledger finds faults'),
}

export type RestoreValues = { pepper?: string; 'new-pepper'?: boolean; 'accept-faults'?: boolean }

export const NEW_PEPPER =
  'Without its pepper, callback secrets, SMPP passwords, phone tokens and Twilio auth tokens have to be issued again.\n'

/**
 * The pepper to store with the data; undefined if the environment has it or a new one is wanted. Without a mark it is not
 * compared.
 */
export async function choosePepper(
  values: RestoreValues,
  config: Config,
  { file, pepper_mark }: { file: string; pepper_mark: string | undefined },
): Promise<string | undefined> {
  if (values['new-pepper']) return undefined
  const given = values.pepper === undefined ? undefined : (await readFile(values.pepper, 'utf8')).trim()
  const kept = config.database_url === undefined ? await readIfThere(pepperFile(config.data_dir)) : undefined
  const known = config.pepper ?? kept
  if (given === undefined && known === undefined) {
    throw new OperatorFault(
      `${file} does not contain the pepper that its secrets are sealed with: pass it with --pepper FILE or GANGAN_PEPPER, or use --new-pepper to give up these secrets.`,
    )
  }
  for (const one of [given, known]) {
    if (one !== undefined && pepper_mark !== undefined && pepperKeys(one).pepper_mark !== pepper_mark) {
      const where =
        one === given ? values.pepper : config.pepper === undefined ? pepperFile(config.data_dir) : 'GANGAN_PEPPER'
      throw new OperatorFault(`The pepper of ${where} is not the one that the secrets in ${file} are sealed with.`)
    }
  }
  return config.pepper === undefined ? given : undefined
}

export async function auditOrRefuse(sql: Db | Tx, values: RestoreValues): Promise<string[]> {
  const findings = await auditAll(sql)
  if (findings.length === 0) return ['Every balance is the sum of its ledger lines, and every line has its reason.']
  const report = `The audit of the ledger found faults:\n  ${findings.join('\n  ')}`
  if (values['accept-faults']) return [report]
  throw new OperatorFault(`${report}\nNothing was restored; --accept-faults restores it as it is.`)
}

export function explainRestore(fault: unknown): never {
  const kinds = [UnusableBackup, RestoreFault, NotCovered]
  if (kinds.some((kind) => fault instanceof kind)) throw new OperatorFault(asError(fault).message)
  if (isRecord(fault) && typeof fault.path === 'string') throw unusableFile(fault.path, fault)
  throw fault
}
