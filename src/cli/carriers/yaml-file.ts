import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseDocument } from 'yaml'
import { MAX_FILE_BYTES } from '../../live-config/schema.ts'
import { codeOf } from '../../values/thrown.ts'
import { notFound, usageFault } from '../terminal/operator-fault.ts'

/** The value of a file of YAML or JSON; `-` is standard input. */
export async function readYaml(file: string): Promise<unknown> {
  const content = file === '-' ? await text(process.stdin) : await readText(file)
  if (Buffer.byteLength(content) > MAX_FILE_BYTES) throw usageFault(`${file} is larger than any configuration.`)
  const document = parseDocument(content)
  if (document.errors.length > 0) {
    throw usageFault(document.errors.map(({ message }) => `${file}: ${message.split('\n')[0]}`).join('\n'))
  }
  const value: unknown = document.toJS()
  return value
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (fault) {
    throw notFound(`${file} cannot be read (${codeOf(fault)}).`)
  }
}
