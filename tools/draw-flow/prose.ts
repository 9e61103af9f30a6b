/** The purpose of each preset, and its path in words, beside the drawing. */
export const prose: Record<string, { for: string; path: string }> = {
  standard: {
    for: 'Plumbline’s own, and the default.',
    path: `The router makes the question stand without its thread, keeps to what the collections are for, asks back where it is too vague and declines in words what
is out of scope. What is complex is planned into steps that run in parallel; a simple question goes on with the queries the router wrote. Each step reads eight to ten
passages, graded in one call; where none passes, or all that passed is outdated or of little authority, the query is rewritten with what failed, until a try brings only what
was there before, and after that the web is asked, if it is on. A plain question takes four calls in sequence: route, grade, answer, check. Every claim of the draft
is checked. A draft that does not stand is written again once, keeping the sentences that stood; then what its claims
lack is researched once; then it is held for a reviewer. Nothing is written without evidence.`,
  },
  simple: {
    for: 'Short questions with short answers, such as business hours: one call of a model, then the check.',
    path: `One search with the question as it is, one draft, one check. No router, no plan, no grading, nothing is tried twice; one small call makes a follow-up whole. What does not stand is held;
where nothing was found, the run ends with what was searched.`,
  },
  auto: {
    for: 'Questions of every kind under deadlines and prices that differ: as deep as it is worth.',
    path: `As \`standard\`. But a question the router calls simple gets no plan and one rewrite at most, and before another try is opened, the core looks at the time
and the money that are left: a try and its draft are opened only if they would fit, going by what those before have used. Nobody guesses: it is worked out from the
clock of the reports and the cost of their calls.`,
  },
  research: {
    for: 'A research agent over reports that routes, plans, searches in parallel and has a person confirm what may be made up.',
    path: `Three ways from the router: research, more information wanted, or a general reply. Every question is planned. For each step two queries are written beside
its own, and all are searched at once, by similarity, MMR and BM25, fused by rank and reranked; the best two passages of each query make the evidence, which is
not graded. A draft that does not stand is held at once, and who asked has only the generation tried again, or ends it. The router is the strong model here and the checks
are the small one.`,
  },
  adaptive: {
    for: 'Adaptive RAG: an index for some subjects, the web for all else, and a loop of self-checks with a limit.',
    path: `The router sends what the collections describe to the index and everything else to the web. Four passages; if any is irrelevant, the relevant ones are kept and
three results of the web are joined to them, ungraded, found with the question as it is. Three sentences. Ungrounded: written again. Not useful: the web. These retries
come from one counter of three, which an asker may lower (\`limits.retries\`); the web for poor evidence is none of them. When it is spent, the last draft goes out, marked, unless whoever runs this holds such drafts.`,
  },
  corrective: {
    for: 'Corrective RAG (CRAG): evidence is judged before anything is written.',
    path: `No router, except that one small call makes a follow-up whole. Where the evidence is ambiguous or incorrect, or any of it is irrelevant, the question is rewritten for the web and the web is asked. What is left is cut
to the strips that bear on the question. The source ends there; here the draft is checked as every other, written again once, and then held.`,
  },
  'self-reflective': {
    for: 'A self-reflective agent: it asks itself whether to retrieve, whether what it found is relevant, whether the answer is supported, and whether it is useful.',
    path: `Retrieve: yes searches, no replies without documents (what is more than small talk is marked as general knowledge that nothing was checked for), continue goes on with the passages that the thread has already. Any relevant passage is enough to write.
If none is, or if the answer is grounded but not useful, the query is rewritten and retrieved again; after the last rewrite the web may help, if it is on. What is not fully
supported is regenerated twice, then held. A draft is written from each passage by itself (\`drafts: per-passage\`); they are graded and ranked, and the best are put together.`,
  },
  agentic: {
    for: 'An agentic RAG loop: decompose, retrieve, grade, rewrite, augment.',
    path: `The plan comes first; in a thread, one small call makes the follow-up whole before it. Six passages of each query, graded against the query that found them; high and medium ones pass. Fewer than two: the query is
rewritten, and each pass replaces what did not pass. One good passage is enough where the tries find no second: a single fact is answered. A draft that does not stand is augmented: what its claims lack is searched for. Rewriting and augmenting share one counter of three. Where
nothing passed, the run ends with what was tried and says whether nothing was found or all of it was about something else; a draft that never stood goes out with a caveat.`,
  },
  'self-rag': {
    for: 'Self-RAG with the web behind it.',
    path: `The search comes first; in a thread, one small call makes the follow-up whole before it. Fewer than two relevant passages: the web is asked, and its results are taken ungraded. Not supported: written again. Not useful: the web, with other
words. At most three of all these, where the source has no limit; the web search for too few passages is none of them, and is not repeated if it finds nothing; then the draft is held. Where a question is too broad, the checked general answer goes out with one
question that would narrow it. The reply in the same thread completes the earlier question.`,
  },
}
