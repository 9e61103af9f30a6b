const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

export const fromNow = (iso: string, now = Date.now()): string => {
  const ms = new Date(iso).getTime() - now
  const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1_000]
  return relative.format(Math.round(ms / size), unit)
}

export const duration = (ms: number): string => {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const clock = new Intl.DateTimeFormat('en', { weekday: 'short', hour: '2-digit', minute: '2-digit', hour12: false })
export const clockTime = (iso: string): string => clock.format(new Date(iso))

const day = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })
export const timeOfDay = (ms: number): string => day.format(ms)
