import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = join(import.meta.dirname, '..', '..')

/** To work on the web app, run `GATEWAY=http://127.0.0.1:3000 npx vite apps/dashboard`. It then uses this gateway. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  resolve: { alias: [{ find: /^@plumbline\//, replacement: `${join(root, 'libs')}/` }] },
  plugins: [react()],
  build: {
    outDir: join(root, 'dist', 'dashboard'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    chunkSizeWarningLimit: 800,
  },
  server: { proxy: { '/v1': process.env['GATEWAY'] ?? 'http://127.0.0.1:3000' } },
})
