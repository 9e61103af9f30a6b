/** What the watchdog writes to standard error, being unable to say it otherwise, before it ends the process. */
export const lastWords = { memory: 'plumbline: out of memory', cpu: 'plumbline: out of processor time' }

/** Where the child tells its watchdog what it is at. */
export const slots = { file: 0, cpuMs: 1, pages: 2, cpuMsPerPage: 3, memoryMb: 4, count: 5 }
