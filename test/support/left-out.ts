import type { Reporter } from 'vitest/node'

/** Tests that need a Debian package. */
const NEEDS = {
  'test/smpp-server/smpp-kannel.test.ts': 'kannel',
  'test/dialects/kannel-client.test.ts': 'kannel',
  'test/flows/kannel-texts.test.ts': 'kannel',
  'test/prometheus.test.ts': 'prometheus',
}

export type LeftOut = { file: string; tests: number }

/** Prints at the end of the run which tests were skipped for lack of a browser or a package. */
export function reportSkipped(): Reporter {
  return {
    onTestRunEnd(modules) {
      for (const [file, name] of Object.entries(NEEDS)) {
        const module = modules.find(({ relativeModuleId }) => relativeModuleId === file)
        const skipped = [...(module?.children.allTests('skipped') ?? [])].length
        if (skipped > 0) process.stderr.write(`\n!!! NOT TESTED: ${file} needs the Debian package ${name}.\n`)
      }
      const left = modules
        .filter(({ project }) => !project.getProvidedContext().has_browser)
        .map(({ relativeModuleId, children }) => ({
          file: relativeModuleId,
          tests: [...children.allTests('skipped')].length,
        }))
        .filter(({ file, tests }) => file.startsWith('test/browser/') && tests > 0)
      const text = leftOutText(left)
      if (text !== undefined) process.stderr.write(text)
    },
  }
}

export function leftOutText(left: readonly LeftOut[]): string | undefined {
  if (left.length === 0) return undefined
  const total = left.reduce((sum, { tests }) => sum + tests, 0)
  const lines = left.map(({ file, tests }) => `  ${file} (${tests} tests)`)
  const frame = '!'.repeat(80)
  return [
    '',
    frame,
    `NOT EVERYTHING WAS TESTED: ${total} tests in ${left.length} files were skipped.`,
    'They need a Chromium; none was found and none could be installed. Name one in CHROMIUM_PATH.',
    ...lines,
    frame,
    '',
  ].join('\n')
}
