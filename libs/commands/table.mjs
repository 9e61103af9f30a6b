/** @import { Command } from './command.mjs' */

/**
 * All commands. The code of a command is loaded only if it is needed, so that no command waits for the code of another.
 * @type {Record<Command['program'], Record<string, () => Promise<Command>>>}
 */
export const table = {
  plumbline: {
    start: async () => (await import('./rows/local.mjs')).start,
    ask: async () => (await import('./rows/ask.mjs')).ask,
    batch: async () => (await import('./rows/batch.mjs')).batch,
    ingest: async () => (await import('./rows/ingest.mjs')).ingest,
    sources: async () => (await import('./rows/sources.mjs')).sources,
    keys: async () => (await import('./rows/keys.mjs')).keys,
    audit: async () => (await import('./rows/audit.mjs')).audit,
    abandoned: async () => (await import('./rows/abandoned.mjs')).abandoned,
    doctor: async () => (await import('./rows/doctor.mjs')).doctor,
    replay: async () => (await import('./rows/replay.mjs')).replay,
    move: async () => (await import('./rows/local.mjs')).move,
    build: async () => (await import('./rows/local.mjs')).build,
  },
  lab: {
    test: async () => (await import('./rows/specs.mjs')).test,
    check: async () => (await import('./rows/specs.mjs')).check,
    browser: async () => (await import('./rows/specs.mjs')).browser,
    bench: async () => (await import('./rows/bench.mjs')).bench,
    eval: async () => (await import('./rows/eval.mjs')).evaluate,
    fire: async () => (await import('./rows/fire.mjs')).fire,
    describe: async () => (await import('./rows/pages.mjs')).describe,
    scenarios: async () => (await import('./rows/pages.mjs')).scenarios,
    screens: async () => (await import('./rows/pages.mjs')).screens,
    client: async () => (await import('./rows/pages.mjs')).client,
    containers: async () => (await import('./rows/specs.mjs')).containers,
    qdrant: async () => (await import('./rows/specs.mjs')).qdrant,
    openapi: async () => (await import('./rows/specs.mjs')).openapi,
    'python-client': async () => (await import('./rows/specs.mjs')).pythonClient,
  },
}

/** @type {(program: Command['program']) => Promise<Command[]>} */
export const commandsOf = (program) => Promise.all(Object.values(table[program]).map((load) => load()))
