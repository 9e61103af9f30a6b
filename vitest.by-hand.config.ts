import { defineConfig } from 'vitest/config'
import base from './vitest.config'

/** Specs that take minutes or need a server of yours: each has a command of its own, which names its folder. */
export default defineConfig({
  ...base,
  test: { ...base.test, projects: undefined, include: ['{apps,deploy,libs}/**/*.by-hand.spec.ts'] },
})
