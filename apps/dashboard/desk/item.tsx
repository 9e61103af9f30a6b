import { type ComponentProps, type ReactNode, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ProblemError } from '@plumbline/client'
import { clean, type PendingDecision, reasons, type ReviewAction, type ReviewView } from '@plumbline/contracts'
import { usePeople } from '../people'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { Prose } from '../ui/markdown'
import { Problem } from '../ui/problem'
import { clockTime } from '../ui/time'
import { actionKeys, Actions, reuseKey } from './actions'
import { Claims, firstClaimToReview } from './claims'
import { type Choice, type DecisionsState, undoMs, useDecisionId } from './decisions'
import { claimInFocus, EditForm, useEdit } from './edit'
import { Drafts, History } from './history'
import { AnswerParts, ItemHeader } from './item-header'
import { type KeyBindings, useKeys } from '../ui/key-bindings'
import { actionLabels, effectText, isFree } from './labels'
import { useLease } from './lease'
import { Notes } from './notes'
import { Passages } from './passages'
import { countReadClaims, ShownPart } from './shown-part'
import { UnsentEditNotice } from './unsent-edit'
import { useMedia } from './use-media'
import { useNow } from './use-now'

export const itemKey = (runId: string) => ['desk', 'item', runId] as const

const useItem = (runId: string) => {
  const { client, me } = useSession()
  return useQuery({
    queryKey: itemKey(runId),
    queryFn: ({ signal }) => client.review(runId, { signal }),
    // Reload when the lease of another reviewer should have ended. No event reports this.
    refetchInterval: ({ state: { data } }) =>
      data?.lease && data.lease.by !== me.name
        ? Math.max(1_000, new Date(data.lease.until).getTime() - Date.now() + 500)
        : false,
  })
}

const NoLongerHeld = ({ runId, onNext }: { runId: string; onNext: () => void }) => {
  const { client } = useSession()
  const { data: run } = useQuery({
    queryKey: ['run', runId, 'desk'],
    queryFn: ({ signal }) => client.run(runId, { audience: 'desk', signal }),
    retry: false,
  })
  const why = run?.reason && run.reason in reasons ? reasons[run.reason as keyof typeof reasons] : ''
  return (
    <section className="teach" role="status">
      <h2>This draft is no longer held</h2>
      <p>
        {run ? `The run is ${run.status}. ${why}` : 'A reviewer decided, or the run was canceled or expired.'}{' '}
        {run?.status === 'expired'
          ? 'The asker sees that the run has expired, and can ask again.'
          : 'Only the first decision on a draft takes effect.'}
      </p>
      <UnsentEditNotice runId={runId} />
      <Button main hotkey="J" onPress={onNext}>
        Next item
      </Button>
    </section>
  )
}

type NoticeProps = { view: ReviewView; who: string; isLost: boolean; onUndo: (decisionId: string) => void }

const PendingNotice = ({
  pending,
  who,
  onUndo,
}: { pending: PendingDecision } & Pick<NoticeProps, 'who' | 'onUndo'>) => {
  const now = useNow(1_000)
  const nameOf = usePeople()
  const { action, by, at } = pending
  return (
    <p className="notice" role="status">
      {actionLabels[action].done} by {by === who ? 'you' : nameOf(by)}; the{' '}
      {action === 'approve' ? 'answer is ' : 'decision '}
      {effectText(action, new Date(at).getTime() - now)}.{' '}
      {by === who && <Button onPress={() => onUndo(pending.decisionId)}>Undo</Button>}
    </p>
  )
}

const ItemNotice = ({ view: { lease, pending }, who, isLost, onUndo }: NoticeProps) => {
  const nameOf = usePeople()
  if (pending) return <PendingNotice {...{ pending, who, onUndo }} />
  if (lease && lease.by !== who)
    return (
      <p className="notice" role="status">
        {nameOf(lease.by)} has this draft open until {clockTime(lease.until)} at the latest. You can read it now, and
        decide after the other reviewer closes it.
      </p>
    )
  return isLost ? (
    <p className="notice" role="status">
      The server does not respond. This page may be out of date. Your decision is sent when the server responds again.
    </p>
  ) : null
}

type ItemProps = {
  runId: string
  decisions: DecisionsState
  onPutBack: () => void
  onNext: () => void
}

export const Item = (props: ItemProps) => {
  const item = useItem(props.runId)
  const isGone = item.error instanceof ProblemError && item.error.problem.status === 404
  if (isGone) return <NoLongerHeld runId={props.runId} onNext={props.onNext} />
  if (!item.data && item.error) return <Problem error={item.error} retry={() => void item.refetch()} />
  if (!item.data) return <section className="draft" aria-busy="true" />
  return <HeldItem key={item.data.taskId} {...props} view={item.data} isLost={item.error !== null || item.isPaused} />
}

type HeldItemProps = ItemProps & { view: ReviewView; isLost: boolean }

/**
 * Returns whether the answer may be used again for the same question. Only the router looks up such answers, so the run
 * must have a route. An answer with quotes cannot be used again.
 */
const mayBeReused = ({ run, draft, actions }: ReviewView): boolean =>
  run.route !== undefined && draft.quotes === undefined && actions.some((one) => one === 'approve' || one === 'edit')

const isContradicted = ({ claims, contradicted }: ReviewView): boolean =>
  contradicted ?? claims.some(({ verdict }) => verdict === 'contradicted')

const useOpenForm = (
  { view, decisions, runId }: HeldItemProps,
  isClosed: boolean,
  leaseSettled: () => Promise<unknown>,
) => {
  const [openForm, setOpenForm] = useState<ReviewAction | null>(null)
  const [refused, setRefused] = useState<ReviewAction | null>(null)
  const [isReused, setReused] = useState(false)
  const idOf = useDecisionId()
  const choose = (chosen: Choice): void => {
    const { taskId } = view
    const choice =
      isReused && (chosen.action === 'approve' || chosen.action === 'edit') ? { ...chosen, keep: true } : chosen
    const decision = { ...choice, taskId, decisionId: idOf(taskId, choice), undoMs }
    decisions.decide.mutate({ runId, question: view.run.question, decision, after: leaseSettled() })
  }
  const ask = (action: ReviewAction): void => {
    if (decisions.decide.isPending || !view.actions.includes(action)) return
    setRefused(isClosed ? action : null)
    if (isClosed) return
    if (decisions.decide.variables?.runId === runId) decisions.decide.reset()
    if (action === 'approve' && !isContradicted(view)) choose({ action })
    else setOpenForm(action)
  }
  const reuse = mayBeReused(view) ? { isReused, setReused } : null
  return { openForm, ask, choose, reuse, refused: isClosed ? refused : null, close: () => setOpenForm(null) }
}

const NotDecidedNotice = ({ view: { pending } }: { view: ReviewView }) => (
  <p className="notice bad" role="alert">
    Your decision was not sent. {pending ? 'Another decision is pending.' : 'Another reviewer has this draft open.'}
  </p>
)

type DraftProps = {
  view: ReviewView
  chosen: number
  choose: (index: number) => void
  evidence: ReactNode
  isNarrow: boolean
  editing: false | ComponentProps<typeof EditForm>
}

const Draft = ({ view, chosen, choose, evidence, isNarrow, editing }: DraftProps) => {
  const { claims, draft } = view
  const inline = isNarrow && <div className="inline-evidence">{evidence}</div>
  if (editing || claims.length === 0)
    return (
      <>
        {editing ? <EditForm {...editing} /> : <Prose text={clean(draft.text)} />}
        {inline}
      </>
    )
  return <Claims {...{ claims, draft, chosen, choose }} read={countReadClaims(view, claims)} evidence={inline} />
}

const useItemKeys = (
  step: (by: number) => () => void,
  ask: (action: ReviewAction) => void,
  others: KeyBindings,
): void =>
  useKeys({
    j: step(1),
    k: step(-1),
    ...others,
    ...Object.fromEntries(Object.entries(actionKeys).map(([action, key]) => [key, () => ask(action as ReviewAction)])),
  })

const undoOf =
  ({ undo }: DecisionsState, { run, taskId }: ReviewView) =>
  (decisionId: string): void =>
    undo.mutate({
      items: [{ runId: run.id, taskId }],
      what: run.question,
      decisionId,
      action: 'approve',
      until: null,
    })

const HeldItem = (props: HeldItemProps) => {
  const { runId, view, decisions, onPutBack, isLost } = props
  const { me } = useSession()
  const { claims } = view
  const [chosen, setChosen] = useState(() => firstClaimToReview(claims))
  const isDecided = (): boolean => decisions.isDecided(runId, view.taskId)
  const lease = useLease(runId, view, isDecided)
  const isClosed = !isFree(view, me.name) || isDecided()
  const { openForm, ask, choose, reuse, refused, close } = useOpenForm(props, isClosed, lease.settled)
  const edit = useEdit(view)
  const isEditing = openForm === 'edit'
  const isNarrow = useMedia('(max-width: 760px)')
  const step = (by: number) => () => setChosen((at) => Math.min(claims.length - 1, Math.max(0, at + by)))
  const toggleReuse = isClosed ? undefined : () => reuse?.setReused(!reuse.isReused)
  useItemKeys(step, ask, { p: onPutBack, [reuseKey]: toggleReuse })
  const { error, variables } = decisions.decide
  const claim = isEditing ? claimInFocus(edit, claims) : claims[chosen]
  const evidence = (
    <Passages
      key={isEditing ? `edit ${edit.focus}` : chosen}
      evidence={view.evidence}
      citations={isEditing ? edit.citations : view.draft.citations}
      claim={claim}
    />
  )
  const editing = { view, edit, reuse, isBusy: decisions.decide.isPending, onChoice: choose, onClose: close }
  return (
    <>
      <section className="draft" aria-label="Draft">
        <UnsentEditNotice runId={runId} taskId={view.taskId} />
        <ItemNotice view={view} who={me.name} isLost={isLost} onUndo={undoOf(decisions, view)} />
        {refused && <NotDecidedNotice view={view} />}
        {lease.error && <Problem error={lease.error} retry={() => void lease.takeAgain()} />}
        <ItemHeader view={view} />
        <ShownPart view={view} />
        <Draft {...{ view, chosen, evidence, isNarrow }} choose={setChosen} editing={isEditing && editing} />
        <AnswerParts parts={view.parts} />
        {claims.length > 0 && <Drafts view={view} />}
        <Notes view={view} />
        <History view={view} />
      </section>
      {!isNarrow && (
        <aside className="plumb" aria-label="Evidence">
          {evidence}
        </aside>
      )}
      <Actions
        {...{ view, openForm, ask, reuse, isClosed, onPutBack }}
        onChoice={choose}
        onClose={close}
        isBusy={decisions.decide.isPending}
        error={variables?.runId === runId ? error : null}
      />
    </>
  )
}
