import type { Rules, WeekDay, WorkingHours } from '@plumbline/contracts'

const andList = new Intl.ListFormat('en', { type: 'conjunction' })
const orList = new Intl.ListFormat('en', { type: 'disjunction' })
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

export const dayNames: Record<WeekDay, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}
const daysInOrder = Object.keys(dayNames) as WeekDay[]

const always = 'Answers that fail the check are always held.'

export const holdSentence = ({ everything, samplePercent, collections, words }: Rules['hold']): string => {
  if (everything) return 'Every answer is held until a person reviews it.'
  const parts = [
    ...(collections.length > 0 ? [`every answer from ${andList.format(collections)}`] : []),
    ...(words.length > 0 ? [`every answer to a question with ${orList.format(words.map((one) => `“${one}”`))}`] : []),
    ...(samplePercent > 0 ? [`${number.format(samplePercent)}\u00a0% of answers as a sample`] : []),
  ]
  if (parts.length === 0) return `Answers that pass the check are not held. ${always}`
  const sentence = andList.format(parts)
  return `Held for review: ${sentence}. ${always}`
}

const durationText = (minutes: number, kind: string): string => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${number.format(count)} ${kind}${unit}${count === 1 ? '' : 's'}`
}

const daysText = (days: WeekDay[]): string => {
  const indexes = daysInOrder.flatMap((day, index) => (days.includes(day) ? [index] : []))
  const names = indexes.map((index) => dayNames[daysInOrder[index] ?? 'mon'])
  const isRow = indexes.length > 2 && (indexes.at(-1) ?? 0) - (indexes[0] ?? 0) === indexes.length - 1
  return isRow ? `${names[0]} to ${names.at(-1)}` : names.join(', ')
}

const hoursText = ({ days, from, to, timeZone }: WorkingHours): string =>
  ` (${daysText(days)}, ${from} to ${to}, ${timeZone})`

export const deadlineSentence = (deadline: Rules['deadline']): string => {
  if (!deadline) return 'A held answer waits for the time that its policy sets.'
  const { minutes, hours, then, escalatedMinutes = 0 } = deadline
  const kind = hours ? 'working ' : ''
  const waits = `A held answer waits ${durationText(minutes, kind)}${hours ? hoursText(hours) : ''}.`
  switch (then) {
    case 'refuse':
      return `${waits} Then it is refused, and the asker sees that nobody decided in time.`
    case 'caveat':
      return `${waits} Then it is released with the caveat that nobody has reviewed it.`
    case 'escalate':
      return `${waits} Then it is escalated, and webhooks are notified. If nobody decides within another ${durationText(escalatedMinutes, kind)}, it is refused.`
  }
}
