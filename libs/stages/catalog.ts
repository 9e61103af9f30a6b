import type { CollectionCard } from '@plumbline/skills'

/** What a stage may know of a tenant's collections: their names and descriptions. */
export type CardCatalog = { cards(tenant: string, names: string[], signal: AbortSignal): Promise<CollectionCard[]> }
