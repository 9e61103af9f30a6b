import { z } from 'zod'

/** Explains the codes for the outcome of a run. Clients may compare the codes, which never change. */
export const reasons = {
  'answered.checked': 'Every claim of the answer was checked against its evidence and enough of them are supported.',
  'answered.known':
    'The same question was answered and checked in an earlier run, and no document has changed since. The answer names that run.',
  'answered.kept':
    'A person released and pinned this answer to the same question in an earlier run, and no document that it cites has changed since. The answer names that run.',
  'answered.quoted': 'No model wrote an answer. The closest passages are quoted word for word.',
  'answered.general': 'The question needed no documents and got a general reply.',
  'answered.incomplete': 'The answer passed its check, but not every part of the question is answered.',
  'answered.unchecked': 'The policy releases answers without a check, and the answer states this.',
  'answered.with-caveat': 'The answer did not pass its check and was released with a caveat, as the policy specifies.',
  'answered.marked': 'The last draft was released although it did not pass its check, as the policy specifies.',
  'answered.decided': 'The answer was held, and a person approved it.',
  'answered.edited': 'The answer was held, a person edited it, and the edited text passed its check.',
  'answered.review-overdue':
    'The answer was held, nobody decided in time, and the answer was released with a caveat, as the policy specifies.',
  'needs_input.clarify': 'The question is too vague to research; the reply asks for the missing details.',
  'needs_input.too-broad':
    'The question is too broad. The checked part is answered, and a narrower question is needed.',
  'declined.out-of-scope': 'The question is outside the scope of these documents.',
  'declined.no-web': 'The question needs a web search, and web search is off.',
  'declined.refused': 'The gateway refused the question.',
  'unanswered.not-in-documents': 'The check found that no passage answers the question, and the answer says only that.',
  'unanswered.nothing-found': 'No evidence was found at all.',
  'unanswered.all-irrelevant': 'Passages were found, but none of them is about the question.',
  'unanswered.too-little-found': 'Less evidence was found than the policy requires, so no answer was written.',
  'unanswered.refused': 'A model refused to answer this question.',
  'unanswered.ungrounded': 'A draft was written, but the documents do not support it, and it was not released.',
  'unanswered.contradicted': 'A draft was written, but the documents contradict it, and it was not released.',
  'unanswered.conflict': 'A draft was written, but the documents give different values, and it was not released.',
  'unanswered.unchecked': 'A draft was written, but it could not be checked, and it was not released.',
  'unanswered.no-web': 'The documents were not enough, and web search is off.',
  'unanswered.budget': 'The budget of the policy or the tenant is used up: its retries, tokens or money.',
  'rejected.decided': 'The answer was held, and a person rejected it.',
  'failed.not-written': 'No answer could be written, because the step that writes the answer failed at every try.',
  'failed.no-reply': 'No reply could be written, because the step that writes the reply failed at every try.',
  'cancelled.asked': 'The run was cancelled on request.',
  'expired.deadline': 'The run did not end before its deadline.',
  'expired.review-overdue': 'The answer was held and nobody decided in time.',
  'parked.ungrounded': 'The draft is held: too few of its claims are supported by the documents.',
  'parked.contradicted': 'The draft is held: the documents contradict one of its claims.',
  'parked.unchecked': 'The draft is held: it could not be checked.',
  'parked.checked-offline':
    'The draft is held: the model that checks drafts was down, so only the check without a model was done.',
  'parked.sensitive': 'The draft is held: it cites sensitive evidence from fewer documents than the policy requires.',
  'parked.conflict': 'The draft is held: the documents give different values for the same thing.',
  'parked.general': 'The reply is held: it was written without any document.',
  'parked.budget': 'The draft is held: it did not pass its check, and no budget is left for another try.',
  'parked.tenant': 'The answer passed its check and is held, because a rule requires a review of every answer.',
  'parked.sample': 'The answer passed its check and is held as part of a sample that is reviewed.',
  'parked.collection':
    'The answer passed its check and is held, because a rule requires a review of answers from this collection.',
  'parked.words':
    'The answer passed its check and is held, because a rule requires a review of questions with certain words.',
  'parked.doubted':
    'The answer is held: evidence that was found later contradicts the part that the asker has already read.',
  'parked.other-text': 'The answer is held: it does not begin with the part that the asker has already read.',
  'parked.edit-ungrounded': 'The edited text is held: it did not pass its check.',
} as const

export type Reason = keyof typeof reasons
export const Reason = z.enum(Object.keys(reasons) as [Reason, ...Reason[]])

/** A reason from any gateway. Unknown codes are accepted, because a newer gateway may have more reasons. */
export const SomeReason = z.union([Reason, z.string()])
