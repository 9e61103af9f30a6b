const perSecond = 10
const identicalTrouble = 3

type Window = { lines: number; second: number; cut: number }
export type Line = { pass: boolean; cut: number }

/** At most ten identical lines a second, and at most ten lines of trouble a second in all. */
export const lineLimit = (now: () => number): ((text: string, trouble: boolean) => Line) => {
  const windows = new Map<string, Window>()
  const take = (key: string, limit: number, second: number): Line => {
    const window = windows.get(key)
    if (!window || window.second !== second) {
      windows.set(key, { lines: 1, second, cut: 0 })
      return { pass: true, cut: window?.cut ?? 0 }
    }
    if (window.lines >= limit) {
      window.cut += 1
      return { pass: false, cut: 0 }
    }
    window.lines += 1
    return { pass: true, cut: 0 }
  }
  return (text, trouble) => {
    const second = Math.floor(now() / 1_000)
    if (windows.size > 1_000) windows.clear()
    const own = take(text, trouble ? identicalTrouble : perSecond, second)
    if (!own.pass || !trouble) return own
    const all = take('\0trouble', perSecond, second)
    return { pass: all.pass, cut: own.cut + all.cut }
  }
}
