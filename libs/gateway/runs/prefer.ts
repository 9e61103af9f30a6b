import { bounds } from '../settings'

/** Seconds the caller wants to wait (RFC 7240), or 0. */
export const waitSeconds = (prefer: string | undefined): number => {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(prefer ?? '') ?? []
  return Math.min(Number(seconds ?? 0), bounds.waitSeconds)
}
