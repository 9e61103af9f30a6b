import type { Claim, Evidence, Passage } from '@plumbline/contracts'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import type { Asked, ModelServer } from '@plumbline/testing/model-server'
import { answer } from '@plumbline/testing/model-server'
import { claimsIn } from '../check-claims/claimed'
import { offlineSkills } from '../offline'
import { stripsOf } from '../refine-evidence/strips'
import type { Call } from '../skill'
import type { ModelOf } from './asking'
import type { Quote } from './quoting'

type Shown = { all: Quote[]; one: (name: string) => string; lines: (name: string) => string[]; task: string }

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }
type Message = { role: string; content: string }
export const messagesOf = ({ body }: { body: unknown }): Message[] => (body as { messages: Message[] }).messages

/** What a prompt shows: its quotes as their code delimits them, and the task under them. */
export const shownIn = (message: string): Shown => {
  const all = Array.from(
    message.matchAll(/<<(.+?) ([0-9a-f]{12})>>\n([\s\S]*?)\n<<end \2>>/g),
    ([, name = '', , text = '']) => ({ name, text }),
  )
  const one = (name: string): string => all.find((quote) => quote.name === name)?.text ?? ''
  return {
    all,
    one,
    lines: (name) => one(name).split('\n').filter(Boolean),
    task: message.slice(message.lastIndexOf('>>') + 2).trim(),
  }
}

const passageOf = ({ name, text }: Quote): Evidence => {
  const [, head = '', body = ''] = /^([\s\S]*?)\n\n([\s\S]*)$/.exec(text) ?? []
  const title = /^Document: (.*)$/m.exec(head)?.[1] ?? ''
  const section = /^Section: (.*)$/m.exec(head)?.[1]
  const id = name.replace('passage ', '')
  const headingPath = section ? [title, ...section.split(' › ')] : [title]
  return { id, documentId: title, collection: 'default', title, headingPath, text: body, position: 0, scores: {} }
}
const passages = ({ all }: Shown): Evidence[] => all.filter(({ name }) => /^passage \d+$/.test(name)).map(passageOf)
const cards = ({ all }: Shown) =>
  all
    .filter(({ name }) => name === 'collection')
    .map(({ text }) => ({ name: text.split('\n')[0] ?? '', description: text.split('\n').slice(1).join('\n') }))
const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)

const refined = async (shown: Shown): Promise<unknown> => {
  const [given] = passages(shown)
  const passage: Passage = { ...given!, text: given!.text.replace(/^\(\d+\) /gm, '') }
  const kept = await offlineSkills.refineEvidence({ question: shown.one('question'), passage }, call)
  return { strips: stripsOf(passage.text).flatMap(({ text }, at) => (kept.includes(text) ? [at + 1] : [])) }
}

const checked = async (shown: Shown): Promise<unknown> => {
  const evidence = passages(shown)
  const citations = evidence.map(({ id }, at) => ({ n: at + 1, passageId: id }))
  const marks = citations.map(({ n }) => `[${n}]`).join('')
  const claims = shown.all.filter(({ name }) => name.startsWith('claim '))
  return {
    claims: await Promise.all(
      claims.map(async ({ name, text }) => {
        const cited = `${text.replace(/[.]$/, '')} ${marks}.`
        const [claim] = await offlineSkills.checkClaims(
          { question: shown.one('question'), text: cited, citations, evidence },
          call,
        )
        const { kind, verdict, reason, passageId } = claim!
        return {
          claim: numbersIn(name)[0],
          kind,
          verdict,
          reason,
          confidence: 0.9,
          passage: passageId === null ? null : Number(passageId),
        }
      }),
    ),
  }
}

const pointsOf = ({ all }: Shown) =>
  all
    .filter(({ name }) => name.startsWith('point '))
    .map(({ name, text }) => ({ text, passages: numbersIn(name.split(', ')[1] ?? '') }))

const summedPart = async (shown: Shown): Promise<unknown> => {
  const { text, citations } = await offlineSkills.summarise(
    { question: '', passages: passages(shown), maxSentences: numbersIn(shown.task)[0]! },
    call,
  )
  return {
    points: claimsIn(text).map((claim) => ({
      text: claim.text,
      passages: claim.marks.map((mark) => Number(citations.find(({ n }) => n === mark)?.passageId)),
    })),
  }
}

const filled = async (shown: Shown): Promise<unknown> => {
  const [name = '', description = '', ...lines] = shown.lines('lookup')
  const params = lines.map((line) => {
    const [, param = '', rest = ''] = /^- (\w+): (.*)$/.exec(line) ?? []
    const values = /One of: (.*?)\.(?: Must|$)/.exec(rest)?.[1]?.split(', ')
    const pattern = /the pattern (.*)\.$/.exec(rest)?.[1]
    return { name: param, description: rest, ...(values && { values }), ...(pattern !== undefined && { pattern }) }
  })
  const values = await offlineSkills.fillLookup(
    { question: shown.one('question'), lookup: { name, description, params } },
    call,
  )
  return {
    fits: values !== null,
    values: Object.entries(values ?? {}).map(([param, value]) => ({ name: param, value })),
  }
}

const computed = async (shown: Shown): Promise<unknown> => {
  const workings = await offlineSkills.compute({ question: shown.one('question'), evidence: passages(shown) }, call)
  return {
    formulas: workings.map(({ what, formula, inputs, unit }) => ({
      what,
      formula,
      unit: unit ?? null,
      inputs: inputs.map(({ name, value, unit: own, passageId }) => ({
        name,
        value,
        unit: own ?? null,
        passage: passageId === null ? null : Number(passageId),
      })),
    })),
  }
}

const rated = async (shown: Shown): Promise<unknown> => {
  const claims = shown.all
    .filter(({ name }) => name.startsWith('sentence '))
    .map(({ name, text }): Claim => {
      return { text, kind: 'fact', verdict: name.split(', ')[1] as Claim['verdict'], reason: '', passageId: null }
    })
  const steps = shown.lines('steps').map((line) => line.slice(2))
  const text = claims.map((claim) => claim.text).join(' ')
  const evidence = shown.all.filter(({ name }) => name.endsWith('in short')).map(passageOf)
  const { parts, ...rest } = await offlineSkills.rateUsefulness(
    { question: shown.one('question'), steps, text, claims, evidence },
    call,
  )
  const standing = claims.flatMap(({ verdict }, at) => (verdict === 'supported' ? [at + 1] : []))
  return { ...rest, parts: parts.map((part) => ({ ...part, claims: part.outcome === 'missed' ? [] : standing })) }
}

const answered = async (shown: Shown): Promise<string> => {
  const evidence = passages({
    ...shown,
    all: shown.all.map((quote) => ({ ...quote, text: quote.text.replace(/^Graded: .*\n/, '') })),
  })
  const maxSentences = numbersIn(shown.task)[0] ?? 1
  const { text, citations } = await offlineSkills.answer(
    { question: shown.one('question'), steps: [], evidence, maxSentences },
    call,
  )
  return text.replace(/\[(\d+)\]/g, (_, n: string) => `[${citations.find((each) => each.n === Number(n))?.passageId}]`)
}

const byName: Record<string, (shown: Shown) => Promise<unknown>> = {
  route: async (shown) =>
    offlineSkills
      .route(
        { question: shown.one('question'), collections: cards(shown), webOn: /search is on/.test(shown.task) },
        call,
      )
      .then((routed) => ({ simple: false, ...routed })),
  plan: (shown) => offlineSkills.plan({ question: shown.one('question'), maxSteps: numbersIn(shown.task)[0]! }, call),
  'write-queries': async (shown) => ({
    queries: await offlineSkills.writeQueries(
      { question: shown.one('question'), count: numbersIn(shown.task)[0]! },
      call,
    ),
  }),
  'rewrite-query': (shown) => {
    const triedQueries = shown.lines('tried queries').map((line) => line.replace(/^\d+\. /, ''))
    const failedPassages = shown.all
      .filter(({ name }) => name.endsWith('fell short') && name.startsWith('passage'))
      .map(({ text }) => text)
    return offlineSkills.rewriteQuery(
      { question: shown.one('question'), triedQueries, failedPassages, reason: shown.one('why they fell short') },
      call,
    )
  },
  'grade-evidence': async (shown) => {
    const grade = await offlineSkills.gradeEvidence(
      { question: shown.one('question'), passage: passages(shown)[0]!, strictness: 'normal' },
      call,
    )
    return { date: null, outdated: false, authority: 'high', sensitive: false, ...grade }
  },
  'refine-evidence': refined,
  'check-claims': checked,
  compute: computed,
  'fill-lookup': filled,
  'summarise-part': summedPart,
  'summarise-whole': (shown) => Promise.resolve({ points: pointsOf(shown).slice(0, numbersIn(shown.task)[0]) }),
  'rate-usefulness': rated,
}

/** What a model says that reads a prompt well: what the offline form says of the same material, where the prompt shows it all it needs. */
export const goodAnswer = async (asked: Asked) => {
  const shown = shownIn(messagesOf(asked).find(({ role }) => role === 'user')!.content)
  if (asked.name !== undefined) return answer.json(await byName[asked.name.replace(/^route-.*/, 'route')]!(shown))
  if (!/reply\.|reply\. /.test(shown.task)) return answered(shown)
  const to = /clarifying/.test(shown.task) ? 'clarify' : 'general'
  return (
    await offlineSkills.reply(
      { question: shown.one('question'), to, logic: shown.one('logic'), collections: cards(shown) },
      call,
    )
  ).text
}

export const goodModel = (server: ModelServer): ModelOf => {
  server.script(() => true, goodAnswer)
  return () => chatOverHttp(server.openaiUrl)
}
