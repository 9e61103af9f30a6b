import { Redirect, Route, Switch } from 'wouter'
import { Collection } from './collection'
import { Collections } from './collections'
import { DocumentPage } from './document'
import { Search } from './search'
import { UploadsProvider } from './uploads'
import './documents.css'

export const Documents = () => (
  <UploadsProvider>
    <Switch>
      <Route path="/" component={Collections} />
      <Route path="/:collection">
        {({ collection }) => <Collection key={collection} name={decodeURIComponent(collection)} />}
      </Route>
      <Route path="/:collection/search">
        {({ collection }) => <Search key={collection} collection={decodeURIComponent(collection)} />}
      </Route>
      <Route path="/:collection/:id">{({ id }) => <DocumentPage key={id} id={id} />}</Route>
      <Redirect to="/" />
    </Switch>
  </UploadsProvider>
)
