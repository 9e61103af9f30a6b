import { lazy } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { useMutation } from '@tanstack/react-query'
import { mayRead, mayUse, useSession } from '../session'
import { Problem } from '../ui/problem'
import { AbandonedPage } from './abandoned'
import { Overview } from './overview'
import { ProcessesPage } from './processes'
import { RunPage } from './run'
import { Runs } from './runs'
import './ops.css'

const Runbook = lazy(() => import('./runbook').then(({ Runbook }) => ({ default: Runbook })))

const NavItem = ({ to, name }: { to: string; name: string }) => {
  const [path] = useLocation()
  const isHere = to === '/' ? path === '/' : path.startsWith(to)
  return (
    <Link href={to} aria-current={isHere ? 'page' : undefined}>
      {name}
    </Link>
  )
}

/** Opens Bull Board. Its pages send no API key, so one request with the key unlocks them first. */
const QueuesButton = () => {
  const { client } = useSession()
  const { mutate, error } = useMutation({
    mutationFn: () => client.openQueues(),
    onSuccess: () => location.assign('/queues/'),
  })
  return (
    <>
      <button type="button" onClick={() => mutate()}>
        Queues (Bull Board)
      </button>
      {error && <Problem error={error} />}
    </>
  )
}

export const OpsPage = () => {
  const { me } = useSession()
  const isOperator = mayUse(me, 'operator')
  if (!isOperator && !mayUse(me, 'admin'))
    return (
      <main className="page">
        <h1>Ops</h1>
        <p className="soft">
          This page is for operators, and for admins of a tenant. Ask one of them for a key with such a role.
        </p>
      </main>
    )
  return (
    <main className="page ops">
      <div className="places" role="navigation" aria-label="Ops">
        <NavItem to="/" name="Overview" />
        {mayRead(me) && <NavItem to="/runs" name="Runs" />}
        {isOperator && <NavItem to="/processes" name="Processes" />}
        <NavItem to="/abandoned" name="Abandoned" />
        {isOperator && <QueuesButton />}
      </div>
      <Switch>
        <Route path="/" component={Overview} />
        {mayRead(me) && <Route path="/runs" component={Runs} />}
        {mayRead(me) && <Route path="/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>}
        {isOperator && <Route path="/processes" component={ProcessesPage} />}
        <Route path="/abandoned" component={AbandonedPage} />
        <Route path="/runbook" component={Runbook} />
        <Redirect to="/" />
      </Switch>
    </main>
  )
}
