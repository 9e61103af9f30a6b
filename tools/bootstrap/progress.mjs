const live = process.stderr.isTTY && !process.env.CI && process.env.TERM !== 'dumb'
const heartbeatMs = 15_000

const seconds = (since) => {
  const s = (Date.now() - since) / 1_000
  return s < 60 ? `${s.toFixed(1)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
}
const say = (line) => process.stderr.write(`${line}\n`)
const redraw = (line) => process.stderr.write(`\r\x1b[2K${line}`)

export const step = async (doing, done, work) => {
  const since = Date.now()
  const show = () => (live ? redraw(`  ${doing} … ${seconds(since)}`) : say(`  ${doing} … ${seconds(since)}`))
  if (live) show()
  else say(`  ${doing} …`)
  const timer = setInterval(show, live ? 100 : heartbeatMs)
  try {
    const result = await work()
    const line = `  ${done} (${seconds(since)})`
    if (live) redraw(`${line}\n`)
    else say(line)
    return result
  } catch (error) {
    if (live) redraw('')
    throw error
  } finally {
    clearInterval(timer)
  }
}

export const note = (line) => say(`  ${line}`)
