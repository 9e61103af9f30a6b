import type { Api } from './api'
import type { Collections } from './collections'
import type { Manifests } from './manifests'
import type { Names } from './names'

/** What reading, writing and rebuilding share. */
export type Parts = { api: Api; names: Names; collections: Collections; manifests: Manifests }
