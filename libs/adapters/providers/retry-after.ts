/** When a provider wants to be asked again, as absolute milliseconds: after seconds, or at an HTTP date. */
export const retryAfter = (headers: Headers, now: number): number | undefined => {
  const ms = headers.get('retry-after-ms')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(ms)) return Math.ceil(now + Number(ms))
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(now + Number(value) * 1_000)
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : date
}
