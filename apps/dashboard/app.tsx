import { lazy, Suspense, useLayoutEffect } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { AskPage } from './ask/page'
import { usePeople } from './people'
import { mayRead, mayUse, useSession } from './session'
import { Connection } from './shell/connection'
import { NotFound } from './shell/not-found'
import { Shortcuts } from './shell/shortcuts'
import { useHeldCount } from './shell/use-held-count'
import { Button } from './ui/controls'
import { ErrorBoundary } from './ui/problem'
import { Brand, PageSkeleton } from './ui/skeleton'

const Documents = lazy(() => import('./documents/page').then(({ DocumentsPage }) => ({ default: DocumentsPage })))
const Desk = lazy(() => import('./desk/page').then(({ DeskPage }) => ({ default: DeskPage })))
const Rules = lazy(() => import('./desk/rules/page').then(({ RulesPage }) => ({ default: RulesPage })))
const Keys = lazy(() => import('./keys/page').then(({ KeysPage }) => ({ default: KeysPage })))
const Ops = lazy(() => import('./ops/page').then(({ OpsPage }) => ({ default: OpsPage })))

const NavLink = ({ to, name, count = 0 }: { to: string; name: string; count?: number }) => {
  const [path] = useLocation()
  const isHere = to === '/' ? !/^\/(?:documents|desk|keys|ops)/.test(path) : path.startsWith(to)
  return (
    <Link href={to} aria-current={isHere ? 'page' : undefined}>
      {name}
      {count > 0 && <span className="count">{count}</span>}
    </Link>
  )
}

const skipToContent = (): void => {
  const main = document.querySelector('main')
  main?.setAttribute('tabindex', '-1')
  main?.focus()
}

const Navigation = () => {
  const { me, signOut } = useSession()
  const heldCount = useHeldCount()
  const nameOf = usePeople()
  return (
    <nav className="sidebar" aria-label="Main">
      <button type="button" className="skip" onClick={skipToContent}>
        Skip to content
      </button>
      <Brand />
      {mayRead(me) && <NavLink to="/" name="Ask" />}
      {mayRead(me) && <NavLink to="/documents" name="Documents" />}
      {mayUse(me, 'reviewer') && <NavLink to="/desk" name="Desk" count={heldCount} />}
      {(mayUse(me, 'admin') || mayUse(me, 'operator')) && <NavLink to="/ops" name="Ops" />}
      {(mayUse(me, 'admin') || mayUse(me, 'operator')) && <NavLink to="/keys" name="API keys" />}
      <div className="foot">
        <span className="who">
          {me.models.replace(/^offline\b/, 'no model')}
          <br />
          <span title={me.name}>{nameOf(me.name)}</span> · {me.tenant}
        </span>
        {me.mode === 'keys' && (
          <Button quiet onPress={signOut}>
            Sign out
          </Button>
        )}
      </div>
    </nav>
  )
}

const pages: [RegExp, string][] = [
  [/^\/documents/, 'documents'],
  [/^\/desk\/(?:cases|flags)/, 'cases'],
  [/^\/desk\/rules/, 'rules'],
  [/^\/desk/, 'desk'],
  [/^\/keys/, 'keys'],
  [/^\/ops/, 'ops'],
]

/**
 * Sets the attribute `data-page`, so that CSS rules can apply to one page only. Without it, the styles of pages that
 * were visited before would apply too.
 */
const usePageName = (): void => {
  const [path] = useLocation()
  const page = pages.find(([at]) => at.test(path))?.[1] ?? 'ask'
  useLayoutEffect(() => void (document.documentElement.dataset['page'] = page), [page])
}

export const App = () => {
  const { me } = useSession()
  usePageName()
  return (
    <div className="app">
      <Connection />
      <Shortcuts />
      <Navigation />
      <ErrorBoundary>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            {!mayRead(me) && <Route path="/keys" component={Keys} />}
            {!mayRead(me) && <Route path="/ops" nest component={Ops} />}
            {!mayRead(me) && <Redirect to="/ops" />}
            <Route path="/">
              <AskPage />
            </Route>
            <Route path="/threads/:thread">{({ thread }) => <AskPage key={thread} thread={thread} />}</Route>
            <Route path="/runs/:run">{({ run }) => <AskPage key={run} run={run} />}</Route>
            <Route path="/documents" nest component={Documents} />
            <Route path="/desk/rules" component={Rules} />
            <Route path="/desk" nest component={Desk} />
            <Route path="/keys" component={Keys} />
            <Route path="/ops" nest component={Ops} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
