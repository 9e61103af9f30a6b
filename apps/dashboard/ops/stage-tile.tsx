import { useState } from 'react'
import { Link } from 'wouter'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StageNow } from '@plumbline/contracts'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { ContentLink } from './content-link'
import { count, time } from './figures'
import { stageState } from './health-summary'

export const Sparkline = ({ values }: { values: number[] }) => {
  const most = Math.max(1, ...values)
  const points = values.map((value, n) => `${(100 * n) / Math.max(1, values.length - 1)},${32 - (30 * value) / most}`)
  return (
    <svg className="spark" viewBox="0 0 100 34" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}

const PauseButton = ({ stage, paused }: Pick<StageNow, 'stage' | 'paused'>) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (pause: boolean) => (pause ? client.pauseStage(stage) : client.resumeStage(stage)),
    onSettled: () => {
      setAsking(false)
      return queries.invalidateQueries({ queryKey: ['ops', 'overview'] })
    },
  })
  if (error) return <Problem error={error} />
  if (paused)
    return (
      <Button isDisabled={isPending} onPress={() => mutate(false)} aria-label={`Resume ${stage}`}>
        Resume
      </Button>
    )
  if (!asking)
    return (
      <Button quiet onPress={() => setAsking(true)} aria-label={`Pause ${stage}`}>
        Pause
      </Button>
    )
  return (
    <div className="asking" role="group" aria-label={`Pause ${stage}?`}>
      <span className="small">Its tasks will wait until you resume this stage.</span>
      <Button autoFocus isDisabled={isPending} onPress={() => mutate(true)}>
        Pause {stage}
      </Button>
      <Button quiet onPress={() => setAsking(false)}>
        Do not pause
      </Button>
    </div>
  )
}

export const StageTile = ({ now, done }: { now: StageNow; done: number[] }) => {
  const { stage, slots, waiting, active, delayed, failed, oldestMs, p50Ms, p95Ms, tasksPerMinute, paused } = now
  const word = stageState(now)
  const waits = oldestMs === null ? 'waiting' : `waiting, oldest for ${time(oldestMs)}`
  return (
    <li className={`card stage ${word === 'well' ? '' : 'hot'}`}>
      <div className="line">
        <h2>{stage}</h2>
        {word === 'well' ? (
          <span>{`${count(slots)} ${slots === 1 ? 'task slot' : 'task slots'}`}</span>
        ) : (
          <b className="warn">{word}</b>
        )}
      </div>
      <ContentLink href="/runs?status=running" className="plain">
        <b className={`big ${word === 'well' ? '' : 'warn'}`}>{count(waiting)}</b>{' '}
        <span className="small soft">{waits}</span>
      </ContentLink>
      <div className="line">
        <span>
          {count(active)} active{delayed > 0 && ` · ${count(delayed)} delayed`}
        </span>
        <span>{tasksPerMinute >= 10 ? count(tasksPerMinute) : tasksPerMinute.toFixed(1)} tasks/min</span>
      </div>
      <Sparkline values={done} />
      <div className="line">
        <span>{p50Ms !== null && `p50 ${time(p50Ms)}`}</span>
        <span>{p95Ms !== null && `p95 ${time(p95Ms)}`}</span>
      </div>
      <div className="line">
        {failed > 0 ? <Link href="/abandoned">{count(failed)} failed</Link> : <span>0 failed</span>}
        <PauseButton stage={stage} paused={paused} />
      </div>
    </li>
  )
}
