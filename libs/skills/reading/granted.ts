import { numbers, years } from '@plumbline/knowledge/text'

/** Questions that take something for granted before they ask. */
const granting = /^(?:why|how come|how is it that|is it (?:true|right|correct) that|given that|since|if)\b/i
/** What a question takes for granted: its figures and years, and the question without the figures. */
export type Granted = { bare: string; values: number[]; dates: string[] }

export const grantedIn = (request: string): Granted | null => {
  if (!granting.test(request.trim())) return null
  const dates = years(request)
  const figures = numbers(request).filter(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !dates.includes(raw))
  const bare = figures.reduce((text, { raw }) => text.replace(raw, ' '), request).replace(/\s%/g, ' ')
  return figures.length + dates.length > 0 ? { bare, values: figures.map(({ value }) => value), dates } : null
}
