import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { CaseList } from './list'
import './cases.css'

const Calibration = lazy(() => import('./calibration').then(({ Calibration }) => ({ default: Calibration })))
const CaseView = lazy(() => import('./case').then(({ CaseView }) => ({ default: CaseView })))

/** Routes the pages about decisions: the list of cases, one case, and the calibration. */
export const Cases = () => (
  <Switch>
    <Route path="/calibration" component={Calibration} />
    <Route path="/:id">{({ id }) => <CaseView key={id} id={id} />}</Route>
    <Route component={CaseList} />
  </Switch>
)
