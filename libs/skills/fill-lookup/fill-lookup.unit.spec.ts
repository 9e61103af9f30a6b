import { fillLookupContract } from './fill-lookup.contract'
import { offlineFillLookup } from './fill-lookup.offline'

fillLookupContract('offline', () => offlineFillLookup)
