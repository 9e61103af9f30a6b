import type { Citation, LedgerEvent, RunView, StreamEvent } from '@plumbline/contracts'

export type PlayedRun = {
  run: RunView
  events: StreamEvent[]
  /** The queries that the web search received while these questions were asked. */
  searches?: string[]
  /** Present if the question was asked in the terminal. */
  terminal?: { code: number | null; output: string; progress: string }
  /** The run of the same question when it was asked in the terminal. */
  inTerminal?: PlayedRun
}

type Of<T extends LedgerEvent['type']> = Extract<StreamEvent, { type: T }>
const eventsOf = <T extends LedgerEvent['type']>({ events }: PlayedRun, type: T): Of<T>[] =>
  events.filter((event): event is Of<T> => event.type === type)

type Try = { step: number; try: number }
const inOrder = <T extends Try>(tries: T[]): T[] => [...tries].sort((a, b) => a.step - b.step || a.try - b.try)
const isSame = (a: Try, b: Try): boolean => a.step === b.step && a.try === b.try
const nameOf = ({ step, try: attempt }: Try): string => `${step}.${attempt}`

const tries = (played: PlayedRun) => {
  const searched = eventsOf(played, 'queried')
  const graded = eventsOf(played, 'evidence-graded')
  return inOrder(eventsOf(played, 'researched')).map((found) => ({
    ...found,
    searched: searched.find((each) => isSame(each, found)),
    graded: graded.find((each) => isSame(each, found)),
  }))
}
const drafts = (played: PlayedRun) => {
  const checks = eventsOf(played, 'answer-graded')
  return eventsOf(played, 'drafted').map((drafted) => ({
    ...drafted,
    claims: checks.find(({ draft }) => draft === drafted.draft)?.claims ?? [],
  }))
}
const supported = ({ claims }: { claims: { verdict: string }[] }): string =>
  `${claims.filter(({ verdict }) => verdict === 'supported').length} of ${claims.length}`

export const outlineOf = (played: PlayedRun) => ({
  route: played.run.route?.to ?? null,
  searches: tries(played).map((each) => `${nameOf(each)} ${each.source}`),
  counters: eventsOf(played, 'counter-spent').map(({ counter, left }) => `${counter}, ${left} left`),
  drafts: drafts(played).map(supported),
  held: eventsOf(played, 'parked').map(({ reason, decider }) => `${reason} by the ${decider}`),
  status: played.run.status,
  reason: played.run.reason,
})

/** Numbers citations by their first appearance. Their original order differs, because it depends on document ids. */
const renumbered = (text: string, known: Map<string, string>): string =>
  text.replace(/\[(\d+)\]/g, (_, n: string) => {
    if (!known.has(n)) known.set(n, `${known.size + 1}`)
    return `[${known.get(n)}]`
  })

const quote = (text: string, indent = ''): string => text.replace(/^/gm, `${indent}> `).replaceAll(/> $/gm, '>')
const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const searchLine = ({ searched, graded, source, found, ...each }: ReturnType<typeof tries>[number]): string => {
  const titles = [...new Set(searched?.passages.map(({ title }) => title))].sort()
  const queries = searched?.queries ?? []
  const noun = queries.length === 1 ? 'query' : 'queries'
  const name = searched?.strategy ? `Rewritten ${noun} (\`${searched.strategy}\`)` : capitalized(noun)
  return [
    `  - ${nameOf(each)} ${source === 'web' ? 'on the web' : 'in the documents'}.`,
    queries.length === 0 ? 'No query.' : `${name}: ${queries.map((query) => `“${query}”`).join(', ')}.`,
    `Found: ${counted(found, 'passage')}${titles.length > 0 ? ` in ${titles.join(', ')}` : ''}.`,
    ...(graded ? [`Passed: ${graded.relevant} of ${graded.grades.length}. Evidence: \`${graded.overall}\`.`] : []),
  ].join(' ')
}

const draftLines = (draft: ReturnType<typeof drafts>[number]): string[] => [
  `  - Draft ${draft.draft}, ${supported(draft)} ${draft.claims.length === 1 ? 'claim' : 'claims'} supported:`,
  '',
  quote(renumbered(draft.text, new Map()), '    '),
  '',
  ...draft.claims
    .filter(({ verdict }) => verdict !== 'supported')
    .map(
      ({ text, verdict, reason }) =>
        `    ${capitalized(verdict)} claim: “${renumbered(text, new Map())}” ${sentence(reason)}\n`,
    ),
]

const resultLine = ({ run }: PlayedRun): string => `- Result: \`${run.reason}\``

const decisions = (played: PlayedRun): string[] => [
  ...eventsOf(played, 'parked').map(({ reason, decider }) => `- Held: \`${reason}\`. The ${decider} decides.`),
  ...eventsOf(played, 'decided').map(
    ({ action, note }) => `- Decision: \`${action}\`${note ? `, with the note “${note}”` : ''}`,
  ),
]

const sourceLine = ({ n, title, url }: Citation, known: Map<string, string>): [string, string] => {
  const number = known.get(`${n}`) ?? '–'
  return [number, `[${number}] ${title}${url ? `, ${url}` : ''}`]
}

const answerLines = ({ run }: PlayedRun): string[] => {
  const { answer, nearest = [] } = run
  if (!answer) return ['No answer is shown.', '']
  const known = new Map<string, string>()
  const text = renumbered(answer.text, known)
  const sources = answer.citations
    .map((citation) => sourceLine(citation, known))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, line]) => line)
  return [
    'Answer:',
    '',
    ...(answer.caveat ? [`> *${answer.caveat}*`, '>'] : []),
    quote(text),
    ...(answer.question ? ['>', `> **${answer.question}**`] : []),
    ...(sources.length > 0 ? ['>', `> Sources: ${sources.join(' · ')}`] : []),
    '',
    ...(nearest.length > 0 ? [`Nearest documents: ${nearest.map(({ title }) => title).join(', ')}`, ''] : []),
  ]
}

const listed = (name: string, lines: string[]): string[] => (lines.length > 0 ? [`- ${name}:`, ...lines] : [])

const courseLines = (played: PlayedRun): string[] => {
  const { run } = played
  const plan = eventsOf(played, 'planned').flatMap(({ steps }) => steps)
  return [
    `- Route: ${run.route ? `\`${run.route.to}\`. ${sentence(run.route.logic)}` : 'none. This preset starts without the router.'}`,
    ...(run.standalone ? [`- Understood as: “${run.standalone}”`] : []),
    ...listed(
      'Plan',
      plan.map(({ question }, at) => `  - Step ${at + 1}: ${question}`),
    ),
    ...listed('Searches', tries(played).map(searchLine)),
    ...listed(
      'Retries',
      eventsOf(played, 'counter-spent').map(({ counter, why, left }) => `  - \`${counter}\`, ${left} left. ${why}`),
    ),
    ...listed('Drafts', drafts(played).flatMap(draftLines)),
    ...decisions(played),
    resultLine(played),
  ]
}

const isEqual = (a: string[], b: string[]): boolean => a.join('\n') === b.join('\n')

/** Compares a turn in the terminal with the same turn over HTTP. `other` contains only what differs. */
const terminalLines = (played: PlayedRun, inTerminal: PlayedRun): { same: string[]; other: string[] } => {
  const code = `exit code ${inTerminal.terminal?.code}`
  const known = courseLines(played)
  const course = courseLines(inTerminal).filter((each) => !known.includes(each))
  const answer = answerLines(inTerminal)
  return course.length === 0 && isEqual(answer, answerLines(played))
    ? { same: [`- In the terminal: the same, with ${code}.`], other: [] }
    : { same: [], other: [`In the terminal, these lines differ (${code}):`, '', ...course, '', ...answer] }
}

const turnLines = (played: PlayedRun): string[] => {
  const { run, terminal, inTerminal } = played
  const { same, other } = inTerminal ? terminalLines(played, inTerminal) : { same: [], other: [] }
  return [
    `**${run.question}**`,
    '',
    `- Preset: \`${run.policy}\`${terminal ? `, asked in the terminal (exit code ${terminal.code})` : ''}`,
    ...courseLines(played),
    ...same,
    '',
    ...answerLines(played),
    ...other,
  ]
}

export const transcriptOf = (title: string, turns: PlayedRun[]): string[] => [
  `### ${capitalized(title)}`,
  '',
  ...turns.flatMap(turnLines),
]
