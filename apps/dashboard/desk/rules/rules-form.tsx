import { type FormEvent, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewRules, RulesView } from '@plumbline/contracts'
import { usePeople } from '../../people'
import { useSession } from '../../session'
import { Button } from '../../ui/controls'
import { Problem } from '../../ui/problem'
import { clockTime } from '../../ui/time'
import { draftOf, rulesOf } from './draft'
import { DeadlineFields, HoldFields } from './fields'
import { deadlineSentence, holdSentence } from './rule-sentences'

const lastChangeText = ({ updatedAt, updatedBy }: RulesView, nameOf: (who: string) => string): string =>
  updatedAt === null ? 'No rules set yet.' : `Last changed ${clockTime(updatedAt)} by ${nameOf(updatedBy ?? '')}.`

const useSaveRules = (onSaved: (rules: RulesView) => void) => {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (rules: NewRules) => client.putRules(rules),
    onSuccess: (saved) => {
      queries.setQueryData(['rules'], saved)
      onSaved(saved)
    },
  })
}

/** Edits the rules. If they were changed after this form was loaded, the gateway refuses to save them. */
const Form = ({ rules, readAgain }: { rules: RulesView; readAgain: () => void }) => {
  const { client } = useSession()
  const nameOf = usePeople()
  const [seen, setSeen] = useState(rules)
  const [draft, setDraft] = useState(() => draftOf(rules))
  const collections = useQuery({ queryKey: ['collections'], queryFn: ({ signal }) => client.collections({ signal }) })
  const saving = useSaveRules((saved) => {
    setSeen(saved)
    setDraft(draftOf(saved))
  })
  const change = (fields: Partial<typeof draft>): void => {
    if (!saving.isIdle) saving.reset()
    setDraft({ ...draft, ...fields })
  }
  const now = rulesOf(draft)
  const isChanged = JSON.stringify(now) !== JSON.stringify(rulesOf(draftOf(seen)))
  const save = (event: FormEvent): void => {
    event.preventDefault()
    saving.mutate({ ...now, version: seen.version })
  }
  return (
    <form onSubmit={save}>
      <section className="card rules" aria-labelledby="held">
        <h2 id="held">Answers to hold</h2>
        <p className="says">{holdSentence(now.hold)}</p>
        <HoldFields
          draft={draft}
          change={change}
          collections={(collections.data?.items ?? []).map(({ name }) => name)}
        />
      </section>
      <section className="card rules" aria-labelledby="deadline">
        <h2 id="deadline">Deadline</h2>
        <p className="says">{deadlineSentence(now.deadline)}</p>
        <DeadlineFields draft={draft} change={change} mayRelease={seen.mayRelease} />
      </section>
      {saving.error && <Problem error={saving.error} retry={readAgain} />}
      <div className="actions">
        <Button type="submit" main isDisabled={!isChanged || saving.isPending}>
          Save rules
        </Button>
        <span className="small soft" role="status">
          {saving.isSuccess ? 'Saved. The rules apply to new questions.' : lastChangeText(seen, nameOf)}
        </span>
      </div>
    </form>
  )
}

export const RulesForm = () => {
  const { client } = useSession()
  const [read, setRead] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: ['rules'],
    queryFn: ({ signal }) => client.rules({ signal }),
    refetchOnWindowFocus: false,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <section className="card rules" aria-busy="true" />
  return <Form key={read} rules={data} readAgain={() => void refetch().then(() => setRead(read + 1))} />
}
