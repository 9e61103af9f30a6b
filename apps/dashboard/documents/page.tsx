import { Redirect, Route, Switch } from 'wouter'
import { CollectionPage } from './collection'
import { CollectionsPage } from './collections'
import { DocumentPage } from './document'
import { SearchPage } from './search'
import { UploadsProvider } from './uploads'
import './documents.css'

export const DocumentsPage = () => (
  <UploadsProvider>
    <Switch>
      <Route path="/" component={CollectionsPage} />
      <Route path="/:collection">
        {({ collection }) => <CollectionPage key={collection} name={decodeURIComponent(collection)} />}
      </Route>
      <Route path="/:collection/search">
        {({ collection }) => <SearchPage key={collection} collection={decodeURIComponent(collection)} />}
      </Route>
      <Route path="/:collection/:id">{({ id }) => <DocumentPage key={id} id={id} />}</Route>
      <Redirect to="/" />
    </Switch>
  </UploadsProvider>
)
