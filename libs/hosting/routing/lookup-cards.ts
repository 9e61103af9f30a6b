import { readLookupCards } from '@plumbline/adapters/lookups/lookups-file'
import { fromFile } from '@plumbline/platform/yaml-file'
import { type DescribedLookup, type LookupCard, lookupsWithin } from '@plumbline/ports/lookup'

export const LookupCardsFromFile = fromFile(readLookupCards).default([])

type Reach = Parameters<typeof lookupsWithin>[1]

export const cardsFor = (lookups: readonly DescribedLookup[], reach: Reach): LookupCard[] =>
  lookupsWithin(lookups, reach).map(({ name, description, params }) => ({ name, description, params }))
