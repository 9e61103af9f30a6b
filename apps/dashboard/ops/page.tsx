import { lazy } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { mayRead, mayUse, useSession } from '../session'
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

export const OpsPage = () => {
  const { me } = useSession()
  const isOperator = mayUse(me, 'operator')
  if (!isOperator && !mayUse(me, 'admin'))
    return (
      <main className="page">
        <h1>Ops</h1>
        <p className="soft">
          Only operators and tenant admins can use this page. Ask one of them for a key with that role.
        </p>
      </main>
    )
  return (
    <main className="page ops">
      <div className="places" role="navigation" aria-label="Ops">
        <NavItem to="/" name="Overview" />
        {mayRead(me) && <NavItem to="/runs" name="Runs" />}
        {isOperator && <NavItem to="/processes" name="Processes" />}
        <NavItem to="/abandoned" name="Abandoned tasks" />
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
