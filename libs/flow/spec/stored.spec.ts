/** As the first version stored it, word for word: fields that came later are not in it. */
export const storedFirst = `{"id":"r0a1b2c3d4e5f6g7h8i9j0k1l","tenant":"default","lane":"main","question":"How heavy is Mars?","policy":{"name":"standard",
"entry":"route","plan":"when-complex","maxSteps":12,"queriesPerStep":2,"gradeEvidence":"on","strictness":"normal","passLevel":"low","minRelevant":1,
"poorWhen":"too-few","keepEvidence":"unite","whenPoor":"rewrite-then-web","webQuery":"rewritten","gradeWeb":"on","noWeb":"go-on","whenNothing":"generate",
"refineEvidence":"off","maxSentences":8,"checkAnswer":"on","parkBelow":1,"whenUngrounded":"regenerate-then-augment","minUsefulness":3,
"whenNotUseful":"rewrite-then-web","whenTooBroad":"release","counters":"separate","maxRewrites":3,"maxWebSearches":2,"maxRegenerations":1,"maxAugments":1,
"maxShared":7,"whenSpent":"park","decider":"reviewer","parkMs":259200000,"whenParkedTooLong":"refuse","streamDrafts":"off","maxMoves":64,
"maxTokens":400000,"maxCents":200,"deadlineMs":600000,"skills":{"route":{"tier":"small","temperature":0},"plan":{"tier":"strong","temperature":0},
"writeQueries":{"tier":"small","temperature":0.3},"rewriteQuery":{"tier":"small","temperature":0.3},"gradeEvidence":{"tier":"small","temperature":0},
"refineEvidence":{"tier":"small","temperature":0},"answer":{"tier":"strong","temperature":0.2},"reply":{"tier":"small","temperature":0.3},
"checkClaims":{"tier":"strong","temperature":0},"rateUsefulness":{"tier":"strong","temperature":0}}},"collections":["planets"],"webOn":false,
"createdAt":1800000000000,"deadlineAt":1800000600000,"status":"running","open":[{"id":"grade-answer.1","kind":"grade-answer","openedAt":1800000005000,"draft":1}],
"closed":{"admit":"admitted","route":"research","plan":"planned","research.1.1":"found","grade-evidence.1.1":"graded","generate.1":"drafted"},
"route":{"to":"research","logic":"About planets.","collections":["planets"]},"steps":[{"step":1,"question":"How heavy is Mars?","waitsFor":null,
"status":"done","try":1,"source":"index","queries":["How heavy is Mars?"],"evidence":[{"id":"p1","documentId":"d1","title":"Mars","scores":{"fused":0.5},
"grade":{"relevant":true,"level":"high","confidence":0.9,"reason":"It says so."}}]}],"draft":{"draft":1,"text":"0.642 × 10^24 kg [1].",
"citations":[{"n":1,"passageId":"p1"}]},"spent":{"moves":5,"rewrites":0,"webSearches":0,"regenerations":0,"augments":0},
"usage":{"calls":0,"tokensIn":0,"tokensOut":0,"cents":0}}`

/** As it was stored while claims could be exempt from the check and claims, usefulness and queries had skills of their own. */
export const storedWithStyle = `{"id":"r000000000000000000000001","tenant":"default","lane":"main","question":"How heavy is Mars?","collections":["planets"],"webOn":false,
"policy":{"name":"standard","entry":"route","routing":"scope","plan":"when-complex","maxSteps":12,"depth":"fixed","queriesPerStep":2,
"perQuery":2,"atLeast":4,"gradeEvidence":"on","gradeAgainst":"step","strictness":"normal","passLevel":"low","minRelevant":1,
"poorWhen":"too-few","keepEvidence":"unite","whenPoor":"rewrite-then-web","webQuery":"rewritten","webResults":3,"gradeWeb":"on",
"noWeb":"go-on","whenNothing":"generate","whenFew":"go-on","refineEvidence":"off","drafts":"one","maxSentences":8,"checkAnswer":"on",
"parkBelow":1,"whenUngrounded":"regenerate-then-augment","minUsefulness":3,"whenNotUseful":"rewrite-then-web","whenTooBroad":"release",
"sensitiveSources":2,"counters":"separate","maxRewrites":3,"maxWebSearches":2,"maxRegenerations":0,"maxAugments":0,"maxShared":7,
"whenSpent":"park","decider":"reviewer","parkMs":259200000,"whenParkedTooLong":"refuse","streamDrafts":"off","lastRung":"offline",
"maxMoves":64,"maxTokens":400000,"maxCents":200,"deadlineMs":600000,"skills":{"route":{"tier":"small","temperature":0},"plan":{
"tier":"small","temperature":0},"writeQueries":{"tier":"small","temperature":0},"rewriteQuery":{"tier":"strong","temperature":0.3},
"gradeEvidence":{"tier":"small","temperature":0},"refineEvidence":{"tier":"small","temperature":0},"answer":{"tier":"strong",
"temperature":0.1},"reply":{"tier":"small","temperature":0.3},"checkClaims":{"tier":"strong","temperature":0},"rateUsefulness":{
"tier":"strong","temperature":0},"compute":{"tier":"small","temperature":0},"summarise":{"tier":"small","temperature":0},"fillLookup":{
"tier":"small","temperature":0}}},"createdAt":1800000000000,"deadlineAt":1800259207000,"status":"parked","open":[{"id":"review.1",
"kind":"review","openedAt":1800000007000,"draft":1,"dueAt":1800259207000,"decider":"reviewer"}],"closed":{"admit":"admitted",
"route":"research","plan":"planned","research.1.1":"found","grade-evidence.1.1":"graded","generate.1":"drafted","grade-answer.1":"graded"},
"steps":[{"question":"How heavy is Mars?","waitsFor":null,"step":1,"status":"done","try":1,"source":"index","queries":["query 1.1"],
"evidence":[{"id":"p1","documentId":"d-p1","title":"Title p1","scores":{"fused":0.5},"grade":{"relevant":true,"level":"high",
"confidence":0.9,"reason":"It says so."}}]}],"spent":{"moves":6,"rewrites":0,"webSearches":0,"regenerations":0,"augments":0},"usage":{
"calls":0,"tokensIn":0,"tokensOut":0,"cents":0},"movedAt":1800000007000,"route":{"to":"research","logic":"About planets.",
"collections":["planets"]},"draft":{"draft":1,"text":"Draft 1 [1].","citations":[{"n":1,"passageId":"p1"}],"passed":1},"grading":{"draft":1,
"score":0.5,"claims":[{"text":"A supported claim.","kind":"fact","verdict":"supported","reason":"Compared.","passageId":"p1"},{
"text":"A unsupported claim.","kind":"fact","verdict":"unsupported","reason":"Compared.","passageId":null},{"text":"In short.",
"kind":"style","verdict":"supported","reason":"Compared.","passageId":null}],"parts":[{"what":"How heavy is Mars?","outcome":"answered"}],
"support":"partial","usefulness":5,"confidence":0.9,"tooBroad":false},"reason":"parked.ungrounded"}`
