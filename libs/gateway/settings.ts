/** What a deployment decides about its gateway. */
export type Settings = {
  lanes: string[]
  webOn: boolean
  /** How answers are made here, as people read it on every run. */
  skills: string
}

/** Every bound of the gateway in one place. */
export const bounds = {
  inFlight: 2_000,
  uploads: 8,
  streams: 4_000,
  streamsPerTenant: 1_000,
  waiting: 1_000,
  waitSeconds: 60,
  heartbeatMs: 15_000,
  slowReaderMs: 20_000,
  leaseMs: 10 * 60_000,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstLookMs: 5_000,
}
