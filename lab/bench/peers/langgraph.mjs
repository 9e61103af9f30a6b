import { Annotation, Command, END, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { draft, grades, grading, measure, modelCall, passages, queries, steps, warmUp } from './workload.ts'

const [saver, form, mode, count, atOnce] = process.argv.slice(2)

const append = { reducer: (a, b) => a.concat(b), default: () => [] }
const State = Annotation.Root({
  run: Annotation(),
  question: Annotation(),
  route: Annotation(),
  plan: Annotation(),
  at: Annotation(),
  evidence: Annotation(append),
  grades: Annotation(append),
  draft: Annotation(),
  grading: Annotation(),
})

const route = async ({ run }) => {
  await modelCall(mode, run, 'route')
  return { route: { to: 'research', logic: 'the collection covers it', collections: ['bench'] } }
}
const plan = async ({ run }) => {
  await modelCall(mode, run, 'plan')
  return { plan: Array.from({ length: steps }, (_, i) => ({ question: `step ${i + 1}`, waitsFor: null })), at: 1 }
}
const research = async ({ run, step }) => {
  await modelCall(mode, run, 'research', step)
  return { step, queries: queries(step), passages: passages(step) }
}
const grade = async ({ run, step, ids }) => {
  await modelCall(mode, run, 'grade-evidence', step)
  return { grades: [{ step, overall: 'correct', grades: grades(ids) }] }
}
const generate = async ({ run }) => {
  await modelCall(mode, run, 'generate')
  return { draft: draft() }
}
const check = async ({ run }) => {
  await modelCall(mode, run, 'grade-answer')
  return { grading: grading() }
}

const base = () =>
  new StateGraph(State)
    .addNode('router', route)
    .addNode('planner', plan)
    .addNode('generator', generate)
    .addNode('checker', check)
    .addEdge(START, 'router')
    .addEdge('router', 'planner')
    .addEdge('generator', 'checker')
    .addEdge('checker', END)

const parallel = () =>
  base()
    .addNode(
      'research',
      async ({ run, step }) => {
        const found = await research({ run, step })
        const ids = found.passages.map(({ id }) => id)
        return new Command({ update: { evidence: [found] }, goto: new Send('grade', { run, step, ids }) })
      },
      { ends: ['grade'] },
    )
    .addNode('grade', grade)
    .addConditionalEdges('planner', ({ run, plan }) => plan.map((_, i) => new Send('research', { run, step: i + 1 })), [
      'research',
    ])
    .addEdge('grade', 'generator')

const sequential = () =>
  base()
    .addNode('research', async ({ run, at }) => ({ evidence: [await research({ run, step: at })] }))
    .addNode('grade', async ({ run, at, evidence }) => ({
      ...(await grade({ run, step: at, ids: evidence.at(-1).passages.map(({ id }) => id) })),
      at: at + 1,
    }))
    .addEdge('planner', 'research')
    .addEdge('research', 'grade')
    .addConditionalEdges('grade', ({ at, plan }) => (at > plan.length ? 'generator' : 'research'), [
      'generator',
      'research',
    ])

const checkpointer = saver === 'postgres' ? PostgresSaver.fromConnString(process.env.POSTGRES_URL) : new MemorySaver()
if (saver === 'postgres') await checkpointer.setup()

const graph = (form === 'parallel' ? parallel() : sequential()).compile({ checkpointer })
const runOne = async (run) => {
  const end = await graph.invoke(
    { run, question: 'How is the energy of the building read in three cases?' },
    { configurable: { thread_id: `t${run}-${process.pid}` } },
  )
  if (end.grades.length !== steps || end.grading?.support !== 'full') throw new Error(`run ${run} did not end well`)
}
await warmUp(runOne)
console.log(JSON.stringify(await measure({ count: Number(count), atOnce: Number(atOnce), mode, runOne })))
if (saver === 'postgres') await checkpointer.end()
