import type { Citation, RunView, ThreadFormat, ThreadView } from '@plumbline/contracts'
import { reasons } from '@plumbline/contracts'

const line = (text: string): string => text.replace(/\s+/g, ' ').trim()

const sourceOf = ({ n, title, headingPath, page, url }: Citation): string =>
  line(
    [
      `${n}. ${title}`,
      ...headingPath,
      page === undefined ? undefined : `page ${page}`,
      url === undefined ? undefined : `<${url}>`,
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  )

const insteadOf = ({ status, reason }: RunView): string =>
  `*${(reason !== undefined && Object.hasOwn(reasons, reason) && reasons[reason as keyof typeof reasons]) || `No answer: ${status}.`}*`

const turnOf = (view: RunView): string => {
  const { question, answer, timings } = view
  const said = answer && [answer.caveat && `> ${line(answer.caveat)}`, answer.text, answer.question]
  const sources = answer?.citations.map(sourceOf) ?? []
  return [
    `## ${line(question)}`,
    timings.createdAt,
    ...(said?.filter(Boolean) ?? [insteadOf(view)]),
    ...(sources.length > 0 ? [sources.join('\n')] : []),
  ].join('\n\n')
}

/** Exports each run as its asker may see it, but without parts that were shown before the whole answer was checked. */
export const exportThread = (
  { items, ...about }: ThreadView,
  as: ThreadFormat,
): { type: string; extension: string; body: string } => {
  const thread = { ...about, items: items.map(({ partial: _, ...run }) => run) }
  switch (as) {
    case 'json':
      return { type: 'application/json; charset=utf-8', extension: 'json', body: JSON.stringify(thread) }
    case 'jsonl':
      return {
        type: 'application/x-ndjson',
        extension: 'jsonl',
        body: thread.items.map((run) => `${JSON.stringify(run)}\n`).join(''),
      }
    case 'markdown':
      return {
        type: 'text/markdown; charset=utf-8',
        extension: 'md',
        body: `${[`# ${line(thread.title)}`, ...thread.items.map(turnOf)].join('\n\n')}\n`,
      }
  }
}
