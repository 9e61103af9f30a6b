export const scales: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  trillion: 1e12,
}

/** A unit first, then the other ways it is written; plurals are understood. */
const written = `
  % percent per_cent percentage pct pp
  $ usd dollar
  € eur euro
  £ gbp pound
  s sec second
  ms millisecond
  min minute
  h hr hour
  day
  week
  month
  year
  decade
  century
  mm
  cm
  m metre meter
  km kilometre kilometer
  mile
  inch
  foot feet
  g gram
  kg kilogram
  t ton tonne
  lb
  kb
  mb
  gb
  tb
  byte
  bit
  token
  hz
  khz
  mhz
  ghz
  w
  kw
  mw
  gw
  wh
  kwh
  mwh
  gwh
  twh
  bar
  °c
  °f
`
export const units: Record<string, string> = Object.fromEntries(
  written
    .trim()
    .split(/\n\s*/)
    .flatMap((line) => {
      const [unit = '', ...others] = line.split(' ')
      return [unit, ...others].map((form) => [form.replace('_', ' '), unit])
    }),
)

/** The unit a word stands for, in one form: `secs` and `seconds` are one. */
export const unitNamed = (word: string): string | null => units[word] ?? units[word.replace(/s$/, '')] ?? null
