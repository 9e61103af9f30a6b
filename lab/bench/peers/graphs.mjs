import { createInterface } from 'node:readline'
import { Annotation, END, START, StateGraph } from '@langchain/langgraph'

/** LangGraph's corrective and adaptive example graphs. Web searches find nothing and take no time. */
const [url, form, small, strong] = process.argv.slice(2)

const State = Annotation.Root({
  question: Annotation(),
  documents: Annotation(),
  generation: Annotation(),
  searchWeb: Annotation(),
  grounded: Annotation(),
  useful: Annotation(),
})

const post = async (model, messages, schema) => {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer a-key' },
    body: JSON.stringify({
      model,
      messages,
      temperature: 0,
      ...(schema && { response_format: { type: 'json_schema', json_schema: { strict: true, ...schema } } }),
    }),
  })
  const { choices } = await response.json()
  return choices[0].message.content
}

const choice = (name, field, values) => ({
  name,
  schema: {
    type: 'object',
    properties: { [field]: { type: 'string', enum: values } },
    required: [field],
    additionalProperties: false,
  },
})
const decide = async (name, field, values, system, user) => {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
  return JSON.parse(await post(small, messages, choice(name, field, values)))[field]
}
const yesOrNo = (name, system, user) => decide(name, 'binary_score', ['yes', 'no'], system, user)
const joined = (documents) => documents.join('\n\n')

const grade = async ({ question, documents }) => {
  const kept = []
  for (const document of documents) {
    const system =
      'You are a grader assessing relevance of a retrieved document to a user question. If the document contains keywords or semantic meaning related to the question, grade it as relevant. Give a binary score yes or no.'
    const score = await yesOrNo(
      'grade-document',
      system,
      `Retrieved document:\n\n${document}\n\nUser question: ${question}`,
    )
    if (score === 'yes') kept.push(document)
  }
  return { documents: kept, searchWeb: kept.length < documents.length }
}
const rewrite = async ({ question }) => {
  const system =
    'You are a question re-writer that converts an input question to a better version that is optimized for web search. Look at the input and try to reason about the underlying semantic intent.'
  const user = `Here is the initial question:\n\n${question}\n\nFormulate an improved question.`
  await post(strong, [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ])
  return {}
}
const generate = async ({ question, documents }) => {
  const system =
    "You are an assistant for question-answering tasks. Use the following pieces of retrieved context to answer the question. If you don't know the answer, just say that you don't know. Keep the answer concise."
  const user = `Context:\n\n${joined(documents)}\n\nUser question: ${question}\n\nAnswer:`
  return {
    generation: await post(strong, [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]),
  }
}
const route = async ({ question }) => {
  const system =
    'You are an expert at routing a user question to a vectorstore or web search. The vectorstore contains the documents of the company. Use the vectorstore for questions on these topics. Otherwise, use web search.'
  await decide('route-question', 'datasource', ['vectorstore', 'web_search'], system, `User question: ${question}`)
  return {}
}
const checkAnswer = async ({ question, documents, generation }) => {
  const grounded = await yesOrNo(
    'grade-hallucination',
    'You are a grader assessing whether an LLM generation is grounded in a set of retrieved facts. Give a binary score yes or no.',
    `Set of facts:\n\n${joined(documents)}\n\nLLM generation: ${generation}`,
  )
  const useful = await yesOrNo(
    'grade-useful',
    'You are a grader assessing whether an answer addresses a question. Give a binary score yes or no.',
    `User question: ${question}\n\nLLM generation: ${generation}`,
  )
  return { grounded, useful }
}

const corrective = () =>
  new StateGraph(State)
    .addNode('grade', grade)
    .addNode('rewrite', rewrite)
    .addNode('web', () => ({}))
    .addNode('generate', generate)
    .addEdge(START, 'grade')
    .addConditionalEdges('grade', ({ searchWeb }) => (searchWeb ? 'rewrite' : 'generate'), ['rewrite', 'generate'])
    .addEdge('rewrite', 'web')
    .addEdge('web', 'generate')
    .addEdge('generate', END)

const adaptive = () =>
  new StateGraph(State)
    .addNode('route', route)
    .addNode('grade', grade)
    .addNode('generate', generate)
    .addNode('check', checkAnswer)
    .addEdge(START, 'route')
    .addEdge('route', 'grade')
    .addEdge('grade', 'generate')
    .addEdge('generate', 'check')
    .addEdge('check', END)

const graph = (form === 'corrective' ? corrective() : adaptive()).compile()

/** Each input line is one question with its documents. Each output line reports that a question is answered. */
for await (const line of createInterface({ input: process.stdin })) {
  const { id, question, documents } = JSON.parse(line)
  graph.invoke({ question, documents }).then(
    ({ generation }) => console.log(JSON.stringify({ id, generation })),
    (error) => console.log(JSON.stringify({ id, error: String(error) })),
  )
}
