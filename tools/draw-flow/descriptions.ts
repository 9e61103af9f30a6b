/** The purpose of each preset, and its path in words. */
export const descriptions: Record<string, { for: string; path: string }> = {
  standard: {
    for: 'The default.',
    path: `A plain question takes three calls in sequence: route, answer, check. Each step reads eight to ten passages, and every claim of the draft is checked.

1. The router makes a follow-up standalone and limits the question to matching collections. It asks back if the question is too vague, and declines it if it is out of scope.
2. A complex question is planned into steps that run in parallel. A simple one continues with the queries that the router wrote.
3. If the draft is unsupported, in conflict, incomplete or absent, the evidence of each step is graded in one call. If none passes, or all cited evidence is outdated or of little authority, the query is rewritten. When a try finds only known passages, the web is searched, if it is on.
4. An ungrounded draft is written again once and keeps its supported sentences. Then the missing evidence is researched once. Then the draft is held.`,
  },
  simple: {
    for: 'Short questions with short answers, such as business hours.',
    path: `One search with the question itself, one draft, one check: no router, plan, grading or retry. An ungrounded draft is held. If nothing is found, the run ends with a list of what was searched.`,
  },
  auto: {
    for: 'Questions of every kind under different deadlines and prices.',
    path: `Like \`standard\`, but a simple question gets no plan and at most one rewrite. Before each retry, the core computes from the earlier ones whether the remaining time and money cover the retry and its draft.`,
  },
  research: {
    for: 'A research agent over reports, whose doubtful answers the asker confirms.',
    path: `The router has three outcomes: research, more information needed, or a general reply. Every question is planned, and each step gets two written queries beside its own. The best two passages of each query are the evidence, which is not graded. An ungrounded draft is held at once; the asker may have it written again, or end the run. The router uses the strong model, and the checks use the small one.`,
  },
  adaptive: {
    for: 'Adaptive RAG: an index for some subjects, the web for all others.',
    path: `The router sends topics that the collections describe to the index, and all others to the web. If any of four passages is irrelevant, the relevant ones are kept, and three ungraded web results for the original question are added. An ungrounded draft is written again; one that is not useful leads to the web. These retries share one counter of three, which an asker may lower (\`limits.retries\`); a web search for poor evidence is not counted. When the counter is spent, the last draft is released with a mark, if the operator allows that.`,
  },
  corrective: {
    for: 'Corrective RAG (CRAG): evidence is judged before anything is written.',
    path: `If the evidence is ambiguous or incorrect, or any passage is irrelevant, the question is rewritten and searched on the web. The remaining evidence is reduced to the strips relevant to the question. The source method ends there. Here the draft is also checked, written again once, and then held.`,
  },
  'self-reflective': {
    for: 'A self-reflective agent: it judges whether to retrieve, and its passages, its support and its usefulness.',
    path: `The router searches, replies without documents, or continues with the passages of the thread. A reply beyond small talk is marked as unchecked general knowledge. One relevant passage is enough to write. If none is relevant, or the answer is not useful, the query is rewritten and searched again, then the web. A draft is written from each passage by itself; the drafts are graded and ranked, and the best are combined. A draft that is not fully supported is written again twice, then held.`,
  },
  agentic: {
    for: 'An agentic RAG loop: decompose, retrieve, grade, rewrite, augment.',
    path: `The plan comes first. Each query finds six passages, which are graded against that query. With fewer than two high or medium grades, the query is rewritten, and the new try replaces the passages that failed. One good passage is enough if no second one is found. For an ungrounded draft, the missing evidence is researched. Rewrites and this research share one counter of three. A draft that stays ungrounded is released with a caveat, if the operator allows that.`,
  },
  'self-rag': {
    for: 'Self-RAG with web search as its reserve.',
    path: `The search comes first. With fewer than two relevant passages, the web is searched once, uncounted, and its results are used ungraded. An unsupported draft is written again; one that is not useful leads to the web with other words. After three retries the draft is held; the source method has no limit. If a question is too broad, the checked general answer is released with a question to narrow it. The reply in the same thread completes the earlier question.`,
  },
}
