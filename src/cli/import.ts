import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { ConfigFault, decideConfig } from '../config/config.ts'
import { codeOf } from '../values/thrown.ts'
import { plainForm, type Command } from './terminal/command.ts'
import { convertConf } from './kannel/convert.ts'
import { readConf } from './kannel/read-conf.ts'
import { notFound, OperatorFault } from './terminal/operator-fault.ts'

const LARGEST = 4 * 1024 * 1024

/** `import` is a word of the language. */
export const importCommand: Command = [
  plainForm(
    'kannel FILE',
    'convert a kannel.conf, and list what has no counterpart',
    {},
    (_values, file = '') => importKannel(file),
    ['gangan import kannel /etc/kannel/kannel.conf > gangan.yaml'],
  ),
]

/** The configuration goes to the output, so that it can be put into a file; what is to be done and left to the eye. */
async function importKannel(file: string): Promise<void> {
  const text = await readText(file)
  const { groups, faults } = readConf(text)
  const { settings, steps, left_out } = convertConf(groups)
  if (settings.carriers.length === 0 && steps.length === 0) {
    throw new OperatorFault(`${file} has no SMPP link and no user: is it a kannel.conf?`)
  }
  const missing = [...faults, ...left_out, ...refusedBy(settings)]
  process.stdout.write(`# Made of a kannel.conf by gangan import kannel.\n${stringify(settings)}`)
  process.stderr.write(section('Then', steps) + section('No counterpart, or check manually', missing))
}

async function readText(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8')
    if (text.length > LARGEST) throw new OperatorFault(`${file} is larger than any kannel.conf.`)
    return text
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') throw notFound(`There is no file ${file}.`)
    throw fault
  }
}

/** What our own configuration would say about it, such as a name that is too long. */
function refusedBy(settings: object): string[] {
  try {
    decideConfig({}, structuredClone(settings)) // it fills in what is left out
    return []
  } catch (fault) {
    if (fault instanceof ConfigFault) return fault.message.split('\n').filter((line) => line.trim() !== '')
    throw fault
  }
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`
}
