import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run test:node`: the tests with other versions of Node than the installed one, each from the npm package `node`.
 * `npm run test:node -- 24` runs one of them, `-- 24 test/http` only those tests. A quarter of an hour each.
 */
const VERSIONS = ['20.19', '22', '24']

const root = fileURLToPath(new URL('../', import.meta.url))
const given = process.argv.slice(2)
const wished = given.filter((word) => /^\d/.test(word))
const files = given.filter((word) => !/^\d/.test(word))

const ended = (wished.length > 0 ? wished : VERSIONS).map((version) => ({ version, ...test(version) }))
for (const { version, node, code } of ended) {
  process.stdout.write(`Node ${version} (${node}): ${code === 0 ? 'passed' : 'failed'}\n`)
}
process.exit(ended.every(({ code }) => code === 0) ? 0 : 1)

function test(version: string): { node: string; code: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'gangan-node-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const install = ['install', '--no-audit', '--no-fund', `node@${version}`]
    execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    const binary = join(folder, 'node_modules/node/bin/node')
    const node = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
    process.stdout.write(`\nNode ${node}\n`)
    // Commands that tests start by name find this one first.
    const env = { ...process.env, PATH: [dirname(binary), process.env.PATH].join(delimiter) }
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { status } = spawnSync(binary, [vitest, 'run', ...files], { cwd: root, env, stdio: 'inherit' })
    return { node, code: status }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
