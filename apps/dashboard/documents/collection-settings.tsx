import { type FormEvent, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Chunking, CollectionSettings, CollectionView, RetrievalSettings } from '@plumbline/contracts'
import { useSession } from '../session'
import { Field, FormEnd, Select } from '../ui/controls'
import { Problem } from '../ui/problem'

const NumberField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (value: number) => void
}) => <Field label={label} type="number" value={`${value}`} onChange={(text) => onChange(Number(text))} />

const headings = { by: 'headings', levels: [1, 2, 3], maxChars: 1_200 } as const
const tokens = { by: 'tokens', size: 1_000, overlap: 200 } as const

const ChunkingFields = ({
  chunking,
  set,
}: {
  chunking: Chunking | undefined
  set: (chunking: Chunking | undefined) => void
}) => (
  <fieldset>
    <legend>Passages</legend>
    <Select
      label="How documents are split"
      value={chunking?.by ?? 'usual'}
      options={[
        ['usual', 'by the default method'],
        ['headings', 'at headings and between paragraphs'],
        ['tokens', 'by size, with overlap'],
      ]}
      onChange={(by) => set(by === 'usual' ? undefined : by === 'tokens' ? tokens : { ...headings, levels: [1, 2, 3] })}
    />
    {chunking?.by === 'headings' && (
      <NumberField
        label="Maximum characters per passage"
        value={chunking.maxChars}
        onChange={(maxChars) => set({ ...chunking, maxChars })}
      />
    )}
    {chunking?.by === 'tokens' && (
      <>
        <NumberField label="Tokens per passage" value={chunking.size} onChange={(size) => set({ ...chunking, size })} />
        <NumberField
          label="Tokens shared by neighboring passages"
          value={chunking.overlap}
          onChange={(overlap) => set({ ...chunking, overlap })}
        />
      </>
    )}
  </fieldset>
)

type Reranker = NonNullable<RetrievalSettings['reranker']>
const rerankers: (readonly [Reranker | '', string])[] = [
  ['', 'default of the deployment'],
  ['none', 'none'],
  ['cohere', 'Cohere'],
  ['cross-encoder', 'cross-encoder'],
]

const RetrievalFields = ({
  retrieval,
  set,
}: {
  retrieval: RetrievalSettings
  set: (retrieval: RetrievalSettings) => void
}) => {
  const { reranker, neighbours = 0 } = retrieval
  return (
    <fieldset>
      <legend>Search</legend>
      <Select
        label="Reranker"
        value={reranker === 'offline' ? 'none' : (reranker ?? '')}
        options={rerankers}
        onChange={(by) => {
          const { reranker: _, ...rest } = retrieval
          set(by === '' ? rest : { ...rest, reranker: by })
        }}
      />
      <NumberField
        label="Passages added before and after each result (0 to 3)"
        value={neighbours}
        onChange={(count) => set({ ...retrieval, neighbours: count })}
      />
    </fieldset>
  )
}

const settingsOf = (view: CollectionView | null): CollectionSettings => ({
  description: view?.made ? '' : (view?.description ?? ''),
  ...(view?.chunking && { chunking: view.chunking }),
  ...(view?.retrieval && { retrieval: view.retrieval }),
  ...(view?.policy !== undefined && { policy: view.policy }),
  ...(view?.questions && { questions: view.questions }),
})

type FormProps = { name: string; view: CollectionView | null; close: () => void }

export const CollectionSettingsForm = ({ name, view, close }: FormProps) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [settings, setSettings] = useState(() => settingsOf(view))
  const { description, chunking, retrieval = {}, policy } = settings
  const { data: policies } = useQuery({ queryKey: ['policies'], queryFn: () => client.policies() })
  // Include the current policy of the collection, because the gateway's list may not contain it.
  const names = new Set([...(policies?.items ?? []).map(({ name }) => name), ...(policy === undefined ? [] : [policy])])
  const change = (part: Partial<{ [Name in keyof CollectionSettings]: CollectionSettings[Name] | undefined }>): void =>
    setSettings((before) => {
      const { description, ...rest } = { ...before, ...part }
      const given = Object.entries(rest).filter(([, value]) => value !== undefined)
      return { description: description ?? '', ...Object.fromEntries(given) }
    })
  const save = useMutation({
    mutationFn: () => client.putCollection(name, settings),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['collections'] })
      close()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className="card settings" onSubmit={submit} aria-label={`Settings of ${name}`}>
      <Field
        label="Description (Plumbline uses it to choose collections for a question)"
        lines={3}
        value={description}
        onChange={(description) => change({ description })}
        autoFocus
      />
      <Select
        label="Policy for questions limited to this collection"
        value={policy ?? ''}
        options={[['', 'no fixed policy'], ...[...names].map((name) => [name, name] as const)]}
        onChange={(policy) => change({ policy: policy || undefined })}
      />
      <ChunkingFields chunking={chunking} set={(chunking) => change({ chunking })} />
      <RetrievalFields retrieval={retrieval} set={(retrieval) => change({ retrieval })} />
      <p className="faint small">
        New passage settings apply only to documents added later. To apply them to all documents, choose “Re-index all”.
      </p>
      {save.error && <Problem error={save.error} />}
      <FormEnd isReady={description.trim() !== '' && !save.isPending} onCancel={close}>
        Save
      </FormEnd>
    </form>
  )
}
