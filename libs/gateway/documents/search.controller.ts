import { Body, Controller, Post } from '@nestjs/common'
import { Search, SearchResults } from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { CurrentCaller } from '../http/caller'
import { Describe } from '../ops/openapi'
import { Searches } from './search.service'

@Controller('v1/search')
export class SearchController {
  constructor(private readonly searches: Searches) {}

  @Post()
  @Describe({
    summary:
      'Search the documents for the passages that an answer to this query would be based on. No answer is written',
    examples: {
      'words in every collection': { query: 'the mass of Mars' },
      'in the documents of some years': {
        query: 'the mass of Mars',
        filters: { year: { gte: 2020 }, team: { in: ['astronomy', 'physics'] } },
      },
    },
    answers: { 200: SearchResults },
    refusals: ['unknown-collection', 'budget-spent'],
  })
  search(@CurrentCaller() caller: Caller, @Body({ schema: Search }) asked: Search): Promise<SearchResults> {
    return this.searches.search(caller, asked)
  }
}
