import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { randomId } from '@plumbline/client'
import type { RunView, ThreadView } from '@plumbline/contracts'
import { mayUse, useSession } from '../session'
import { Problem } from '../ui/problem'
import { AskBox, type AskChoices, useChoices } from './ask-box'
import { Question } from './question'
import { withRun } from './run'
import { notifyOtherTabs } from './thread-tabs'

type AskVariables = { question: string; key: string } & AskChoices
export type AskMutation = UseMutationResult<RunView, Error, AskVariables>

/** Sends a question with an idempotency key, so that a repetition after a lost connection creates no second run. */
export const useAsk = (threadId: string, onAsked?: () => void): AskMutation => {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ key, ...ask }: AskVariables) => client.ask({ ...ask, threadId }, { idempotencyKey: key }),
    onSuccess: (run) => {
      queries.setQueryData(['run', run.id], run)
      queries.setQueryData(['thread', threadId], (thread?: ThreadView) => withRun(thread, threadId, run))
      notifyOtherTabs(threadId)
      onAsked?.()
    },
  })
}

export const newAsk = (question: string, choices: AskChoices = {}): AskVariables => ({
  question,
  ...choices,
  key: randomId(),
})

export const SentQuestion = ({ asking }: { asking: AskMutation }) => {
  const { isPending, isPaused, variables, error } = asking
  if (error) return <Problem error={error} retry={() => asking.mutate(variables)} />
  if (!isPending) return null
  return (
    <article aria-busy="true">
      <Question text={variables.question} />
      <p className="small soft line" role="status">
        {isPaused
          ? 'No connection. The question is sent when the connection is back.'
          : 'The question is waiting to be processed.'}
      </p>
    </article>
  )
}

export const AskForm = ({ asking, inThread }: { asking: AskMutation; inThread: boolean }) => {
  const { me } = useSession()
  const [choices, choose] = useChoices()
  const [, navigate] = useLocation()
  if (!mayUse(me, 'asker'))
    return (
      <p className="soft">
        Your API key can read answers, but it cannot ask questions. To ask, sign in with a key that has the role asker.
      </p>
    )
  return (
    <div className={inThread ? 'asking' : 'asking first'}>
      <AskBox
        inThread={inThread}
        isPending={asking.isPending}
        onAsk={(question, chosen) => asking.mutate(newAsk(question, chosen))}
        onNew={() => navigate('/')}
        choices={choices}
        choose={choose}
      />
    </div>
  )
}
