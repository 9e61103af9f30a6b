const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const count = (value: number): string => whole.format(value)
export const cents = (value: number): string => money.format(value)

export const time = (ms: number | null | undefined): string => {
  if (ms === null || ms === undefined) return '–'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`
}

export const share = (part: number, all: number): string =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(part > 0 && part / all < 0.01 ? 1 : 0)} %`

export const megabytes = (bytes: number): string => `${whole.format(bytes / 1_000_000)} MB`

export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

export const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((all, each) => all + each, 0)

export const address = (path: string, chosen: Record<string, string | undefined>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(chosen)) if (value !== undefined && value !== '') query.set(name, value)
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
