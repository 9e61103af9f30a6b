import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { clean, cleanName, type CitedPassage, type Claim, type Evidence, type ReviewView } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { numbersIn } from './citations'
import { ReuseCheckbox, type ReuseChoice } from './decision-forms'
import type { Choice } from './decisions'
import { Difference } from './difference'
import { citeIn, claimOf, type EditLine, linesOf, stateOf, textOf } from './edit-lines'
import { verdictLabels } from './labels'
import { countReadSentences, EditTellsAsker } from './shown-part'
import { forgetUnsentEdit, keepUnsentEdit, unsentEdit } from './unsent-edit'

const stateLabels = { ...verdictLabels, changed: 'changed, not checked yet', removed: 'removed' }

export const useEdit = (view: ReviewView) => {
  const { taskId, run, draft, claims, evidence } = view
  const stored = unsentEdit(run.id)
  const unsent = stored?.taskId === taskId ? stored : null
  const [lines, setLines] = useState(() => linesOf(unsent?.text ?? draft.text))
  const [citations, setCitations] = useState<CitedPassage[]>(
    () => unsent?.citations ?? draft.citations.map(({ n, passageId }) => ({ n, passageId })),
  )
  const [focus, setFocus] = useState(() =>
    Math.max(
      0,
      lines.findIndex(({ text }) => claimOf(text, claims)?.verdict === 'contradicted'),
    ),
  )
  const fields = useRef<(HTMLTextAreaElement | null)[]>([])
  const change = (next: EditLine[], cited = citations): void => {
    setLines(next)
    setCitations(cited)
    keepUnsentEdit(run.id, { taskId, text: textOf(next), citations: cited })
  }
  const type = (index: number, text: string): void =>
    change(lines.map((line, at) => (at === index ? { ...line, text } : line)))
  const add = (): void => {
    change([
      ...lines.map((line) => (line.gap === '' ? { ...line, gap: ' ' } : line)),
      { id: lines.length, text: '', gap: '' },
    ])
    setFocus(lines.length)
  }
  const cite = ({ id: passageId }: Evidence): void => {
    const [line, field] = [lines[focus], fields.current[focus]]
    if (!line) return
    const cited = citeIn(line.text, { citations, passageId, caret: field?.selectionStart ?? 0 })
    change(
      lines.map((one, index) => (index === focus ? { ...one, text: cited.text } : one)),
      cited.citations,
    )
    field?.focus()
  }
  const reset = (): void => {
    forgetUnsentEdit(run.id)
    setLines(linesOf(draft.text))
    setCitations(draft.citations.map(({ n, passageId }) => ({ n, passageId })))
  }
  const choice = (): Choice => {
    const text = textOf(lines)
    const used = new Set(numbersIn(text))
    const isNew = citations.length > draft.citations.length
    return {
      action: 'edit',
      text,
      ...(isNew && { citations: citations.filter(({ n }) => used.has(n)) }),
    }
  }
  return { lines, citations, evidence, focus, setFocus, fields, type, add, cite, reset, choice }
}
export type Edit = ReturnType<typeof useEdit>

export const claimInFocus = ({ lines, focus, citations }: Edit, claims: readonly Claim[]): Claim => {
  const text = lines[focus]?.text ?? ''
  const [first] = numbersIn(text)
  const passageId = citations.find(({ n }) => n === first)?.passageId ?? null
  return claimOf(text, claims) ?? { text, kind: 'fact', verdict: 'unsupported', reason: '', passageId }
}

const SentenceField = ({ edit, index, view }: { edit: Edit; index: number; view: ReviewView }) => {
  const line = edit.lines[index]
  const known = new Set(edit.citations.map(({ n }) => n))
  if (!line) return null
  const { verdict, fault } = stateOf(line, view.claims, known)
  const id = `sentence-${line.id}`
  return (
    <li className={`sentence ${verdict}`}>
      <span className="dot" aria-hidden="true" />
      <textarea
        ref={(field) => void (edit.fields.current[index] = field)}
        aria-label={`Sentence ${index + 1}`}
        aria-describedby={id}
        rows={Math.max(1, Math.ceil(line.text.length / 60), line.text.split('\n').length)}
        value={line.text}
        onChange={({ target }) => edit.type(index, target.value)}
        onFocus={() => edit.setFocus(index)}
      />
      <span id={id} className={`why ${verdict === 'contradicted' ? 'bad' : fault ? 'warn' : ''}`}>
        {stateLabels[verdict]}
        {fault !== undefined && ` · ${fault}`}
        {line.id < countReadSentences(view) &&
          ` · the asker has read ${line.text === line.before ? 'this sentence' : 'its earlier version'}`}
      </span>
    </li>
  )
}

const passageName = ({ title, headingPath }: Evidence): string =>
  cleanName([title, ...headingPath.slice(-1)].join(' › '))

const SourceChips = ({ edit }: { edit: Edit }) => (
  <div className="sources" role="group" aria-label="Cite a passage in this sentence">
    <span className="small soft">Cite a passage:</span>
    {edit.evidence.map((passage) => {
      const n = edit.citations.find(({ passageId }) => passageId === passage.id)?.n
      return (
        <button
          key={passage.id}
          type="button"
          className="chip"
          title={clean(passage.text.slice(0, 300))}
          onClick={() => edit.cite(passage)}
        >
          {n !== undefined && <span className="cite">{n}</span>}{' '}
          <span className="one-line">{passageName(passage)}</span>
        </button>
      )
    })}
  </div>
)

type EditFormProps = {
  view: ReviewView
  edit: Edit
  reuse: ReuseChoice | null
  isBusy: boolean
  onChoice: (choice: Choice) => void
  onClose: () => void
}

export const EditForm = ({ view, edit, reuse, isBusy, onChoice, onClose }: EditFormProps) => {
  const [compares, setCompares] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const text = textOf(edit.lines)
  const isReady = !isBusy && text !== ''
  const { fields, focus, lines } = edit
  useEffect(() => fields.current[focus]?.focus(), [fields, focus, lines.length])
  const send = (): void => {
    if (isReady) onChoice(edit.choice())
  }
  const close = (): void => {
    edit.reset()
    onClose()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      ref={form}
      className="edit"
      aria-label="Edit and release"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={onKey}
    >
      <ol className="sentences" aria-label="Sentences">
        {lines.map(({ id }, index) => (
          <SentenceField key={id} edit={edit} index={index} view={view} />
        ))}
      </ol>
      <SourceChips edit={edit} />
      <div className="buttons">
        <Button quiet onPress={edit.add}>
          Add a sentence
        </Button>
        <Button quiet aria-expanded={compares} onPress={() => setCompares(!compares)}>
          Compare with the draft
        </Button>
      </div>
      {compares && <Difference before={clean(view.draft.text)} after={text} />}
      <EditTellsAsker view={view} text={text} />
      {reuse && <ReuseCheckbox reuse={reuse} />}
      <div className="buttons">
        <Button type="submit" main hotkey="Ctrl ↵" isDisabled={!isReady}>
          Edit and release
        </Button>
        <Button hotkey="Esc" onPress={close}>
          Cancel
        </Button>
        <span className="small soft">Each sentence is checked. If all pass, the answer is released.</span>
      </div>
    </form>
  )
}
