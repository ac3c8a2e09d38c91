import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev` in this folder serves the pages and hands every other path to a service on its usual port. */
const SERVICE = process.env.GANGAN_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no inline data: but small pictures as data: would need it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '^/(?!console/(?!api))': { target: SERVICE, changeOrigin: true } },
  },
})
