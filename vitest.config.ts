import { defineConfig } from 'vitest/config'
import { lua } from './tools/build/lua.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}

export default defineConfig({
  resolve: { tsconfigPaths: true },
  plugins: [lua()],
  test: {
    exclude: ['**/node_modules/**'],
    // Busy machines need several times as long as quiet ones.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A condition that is waited for holds at once or within a moment; on a machine that does much else the moment is longer.
    expect: { poll: { timeout: 20_000 } },
    // Random cases are the same in every run, so that only a change can break a spec: SEED=7 npm test tries others.
    provide: { seed: Number(process.env['SEED'] ?? 20_261_121) },
    // Specs of the encoder turn it on themselves. All others search by words, so that they stay fast.
    env: { EMBEDDING_MODEL: 'none' },
    retry: 0,
    maxWorkers: 2,
    // The projects run in this order. Specs of a part leave nothing behind, so one process and its modules serve many files.
    projects: ['browser', 'e2e', 'int', 'unit'].map((kind) => ({
      extends: true,
      test: {
        name: kind,
        include: [`{apps,libs,lab,tools,deploy}/**/*.${kind}.spec.ts`],
        isolate: kind === 'e2e',
        setupFiles: kind === 'unit' ? [] : ['libs/testing/record-answers.setup.ts'],
      },
    })),
    coverage: {
      provider: 'v8',
      include: ['libs/flow/**/*.ts'],
      exclude: ['**/*.spec.ts'],
      thresholds: { branches: 100 },
    },
  },
})
