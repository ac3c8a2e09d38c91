import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { libraryTexts } from './library-texts.ts'
import { textParts } from './text-parts.ts'

/** `npm run dev` in this folder serves the pages and hands every other path to a service on its usual port. */
const SERVICE = process.env.GANGAN_URL ?? 'http://127.0.0.1:8080'

type Module = { isEntry: boolean; importers: readonly string[] }

/**
 * Whether the first view needs it anyway. Since a part of it waits for its language (a top-level `await`), Rollup takes
 * none of it for loaded when pages are, and would cut it into twenty small files, which together are larger.
 */
function isFirst(id: string, infoOf: (id: string) => Module | null, seen = new Set<string>()): boolean {
  const info = infoOf(id)
  if (info === null || seen.has(id)) return false
  seen.add(id)
  return info.isEntry || info.importers.some((importer) => isFirst(importer, infoOf, seen))
}

export default defineConfig({
  base: '/console/',
  plugins: [textParts(), libraryTexts(), react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no inline data: but small pictures as data: would need it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { manualChunks: (id, { getModuleInfo }) => (isFirst(id, getModuleInfo) ? 'index' : null) },
    },
  },
  server: {
    proxy: { '^/(?!console/(?!api))': { target: SERVICE, changeOrigin: true } },
  },
})
