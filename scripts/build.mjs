import { build } from 'esbuild'
import { rm } from 'node:fs/promises'

/**
 * Bundles the service into `dist`: loading its modules one by one took most of the processor time of every command. Packages
 * stay outside, so that they are installed, audited and replaced as usual.
 */
await rm('dist/chunks', { recursive: true, force: true })
await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  // A command loads what it needs.
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  logLevel: 'warning',
})
