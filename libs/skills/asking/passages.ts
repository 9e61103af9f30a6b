import type { Passage } from '@plumbline/contracts'
import type { Quote } from './quoting'

/** A passage by a short number, with what it says about itself. */
export const passageQuote = ({ title, headingPath, text, url }: Passage, n: number): Quote => {
  const headings = headingPath.filter((heading) => heading !== title).join(' › ')
  const head = [
    `Document: ${title}`,
    ...(headings === '' ? [] : [`Section: ${headings}`]),
    ...(url === undefined ? [] : [`Address: ${url}`]),
  ]
  return { name: `passage ${n}`, text: `${head.join('\n')}\n\n${text}` }
}

export const questionQuote = (question: string): Quote => ({ name: 'question', text: question })
