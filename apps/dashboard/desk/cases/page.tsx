import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { CaseList } from './list'
import './cases.css'

const Calibration = lazy(() => import('./calibration').then(({ CalibrationPage }) => ({ default: CalibrationPage })))
const CaseView = lazy(() => import('./case').then(({ CasePage }) => ({ default: CasePage })))

export const CasesPage = () => (
  <Switch>
    <Route path="/calibration" component={Calibration} />
    <Route path="/:id">{({ id }) => <CaseView key={id} id={id} />}</Route>
    <Route component={CaseList} />
  </Switch>
)
