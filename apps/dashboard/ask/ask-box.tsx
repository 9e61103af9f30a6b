import { type KeyboardEvent, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session'
import { Button, Select } from '../ui/controls'
import { CollectionPicker, existingCollections } from './collection-picker'
import { policyDescription } from './policies'

export type AskChoices = { policy?: string; collection?: string | string[] }

const storageKey = 'plumbline.ask'
const readChoices = (): AskChoices => {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as AskChoices
  } catch {
    return {}
  }
}

export const useChoices = () => {
  const [choices, setChoices] = useState(readChoices)
  const choose = (change: AskChoices): void => {
    const next = { ...choices, ...change }
    sessionStorage.setItem(storageKey, JSON.stringify(next))
    setChoices(next)
  }
  return [choices, choose] as const
}

const none = ''
/** Returns `none` if the chosen name does not exist. While the names are loading, the chosen name is kept. */
const existingName = (chosen = none, names: string[] = [chosen]): string => (names.includes(chosen) ? chosen : none)
type Option = readonly [value: string, words: string, description?: string]
const optionsOf = (first: Option, chosen: string, names = [chosen], lineOf?: (name: string) => string): Option[] => [
  first,
  ...names.filter((name) => name !== none).map((name): Option => (lineOf ? [name, name, lineOf(name)] : [name, name])),
]
const anyPolicy: Option = [none, 'Default policy', 'chosen by your operator, usually “standard”']

const usePolicies = (): string[] | undefined => {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['policies'],
    queryFn: ({ signal }) => client.policies({ signal }),
    staleTime: 300_000,
  })
  return data?.items.map(({ name }) => name)
}
export const useCollections = () => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['collections'],
    queryFn: ({ signal }) => client.collections({ signal }),
    staleTime: 30_000,
  })
}

const useAvailableChoices = (choices: AskChoices) => {
  const policies = usePolicies()
  const collections = useCollections().data?.items.map(({ name }) => name)
  return {
    policies,
    collections,
    policy: existingName(choices.policy, policies),
    chosen: existingCollections(choices.collection, collections),
  }
}

type Props = {
  inThread: boolean
  isPending: boolean
  onAsk: (question: string, choices: AskChoices) => void
  onNew: () => void
  choices: AskChoices
  choose: (change: AskChoices) => void
}

const mostLines = 8
const mostLetters = 4_000
/** The counter appears if fewer characters than this remain. */
const countFrom = 500

const lettersLeftText = (left: number): string =>
  left < 0 ? `${-left} characters too many. Shorten the question to ask it.` : `${left} characters left`

const LettersLeft = ({ left }: { left: number }) => (
  <span id="letters" className={left < 0 ? 'letters small bad' : 'letters small soft'} role="status">
    {left < countFrom && lettersLeftText(left)}
  </span>
)

export const AskBox = ({ inThread, isPending, onAsk, onNew, choices, choose }: Props) => {
  const [question, setQuestion] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const { policies, collections, policy, chosen } = useAvailableChoices(choices)
  const words = question.trim()
  const left = mostLetters - words.length
  const submit = (): void => {
    if (words === '' || left < 0 || isPending) return
    setQuestion('')
    if (words === '/new') onNew()
    else onAsk(words, { ...(policy && { policy }), ...(chosen.length > 0 && { collection: chosen }) })
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <form
      className="card box"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        ref={box}
        aria-label="Question"
        rows={Math.min(mostLines, question.split('\n').length)}
        aria-describedby="letters"
        placeholder={inThread ? 'Ask a follow-up, or type /new for a new thread' : 'Ask about your documents'}
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
        onKeyDown={onKeyDown}
        autoFocus
      />
      <LettersLeft left={left} />
      <Select
        label="Policy"
        labelled="unseen"
        value={policy}
        options={optionsOf(anyPolicy, policy, policies, policyDescription)}
        onChange={(policy) => choose({ policy })}
      />
      <CollectionPicker chosen={chosen} names={collections} onChange={(collection) => choose({ collection })} />
      <Button type="submit" main hotkey="↵" isDisabled={words === '' || left < 0 || isPending}>
        Ask
      </Button>
    </form>
  )
}
