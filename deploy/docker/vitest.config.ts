import { defineConfig } from 'vitest/config'
import base from '../../vitest.config'

/** Installing twice takes minutes: the image by hand has a command of its own. */
export default defineConfig({ ...base, test: { ...base.test, include: ['deploy/docker/*.by-hand.spec.ts'] } })
