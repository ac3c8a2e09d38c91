import { codeOf } from '../../values/thrown.ts'

/** What keeps the embedded PostgreSQL from running, in one sentence that the operator can act on. */
export class EmbeddedFault extends Error {
  override name = 'EmbeddedFault'
}

/** Explains a file system error of the data folder in a sentence; returns any other error as it is. */
export function folderFault(folder: string, error: unknown): unknown {
  const sentence = sentences[codeOf(error) ?? '']
  return sentence === undefined ? error : new EmbeddedFault(sentence(folder), { cause: error })
}

/** Finds in what PostgreSQL said the reason why it ended, and puts it behind the beginning of a sentence. */
export function postgresFault(data_dir: string, beginning: string, said: string): EmbeddedFault {
  if (/No space left on device|Check free disk space/.test(said)) return new EmbeddedFault(diskFull(data_dir))
  const reason = said.match(/(?:error|ERROR|FATAL|PANIC): .*/g)?.at(-1) ?? said.trim()
  return new EmbeddedFault(`${beginning}: ${reason}`, { cause: new Error(said) })
}

function diskFull(folder: string): string {
  return `The disk that holds the data folder ${folder} is full.`
}

function notWritable(folder: string): string {
  return `The data folder ${folder} is not writable for this user.`
}

function notAFolder(folder: string): string {
  return `The data folder ${folder} is not a folder.`
}

const sentences: Record<string, (folder: string) => string> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EEXIST: notAFolder,
  ENOTDIR: notAFolder,
  ENOENT: (folder) => `The data folder ${folder} cannot be made there.`,
  EROFS: (folder) => `The data folder ${folder} is on a read-only file system.`,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
}
