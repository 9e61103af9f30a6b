import { readEnv } from '@plumbline/platform'
import { describe, expect, it } from 'vitest'
import { ResearcherEnv } from './researcher.env'
import { webSearchOf } from './researcher.stage'

const faults = (env: Record<string, string>): string => {
  try {
    readEnv(ResearcherEnv, env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('the researcher’s environment', () => {
  it('has no web search, and needs no key for it', () => {
    const env = readEnv(ResearcherEnv, { TAVILY_API_KEY: '' })
    expect(env).toMatchObject({ WEB_SEARCH: 'off', LOOKUPS_FILE: [] })
    expect(webSearchOf(env)).toBeUndefined()
  })

  it('opens the search that is chosen', () => {
    expect(
      webSearchOf(readEnv(ResearcherEnv, { WEB_SEARCH: 'tavily', TAVILY_API_KEY: 'k', RESEARCHER_CONCURRENCY: '3' }))
        ?.name,
    ).toBe('tavily')
    expect(
      webSearchOf(readEnv(ResearcherEnv, { WEB_SEARCH: 'searxng', SEARXNG_URL: 'http://search.local:8080' }))?.name,
    ).toBe('searxng')
  })

  it.each([
    [{ WEB_SEARCH: 'tavily' }, /TAVILY_API_KEY: WEB_SEARCH=tavily needs the key/],
    [{ WEB_SEARCH: 'searxng' }, /SEARXNG_URL: WEB_SEARCH=searxng needs the URL/],
    [{ WEB_SEARCH: 'searxng', SEARXNG_URL: 'ftp://search' }, /SEARXNG_URL: write it as http/],
    [{ LOOKUPS_FILE: '/nowhere/lookups.yaml' }, /LOOKUPS_FILE: .*cannot be read/],
    [{ WEB_SEARCH: 'altavista' }, /WEB_SEARCH: use off, tavily or searxng/],
  ])('says what is missing: %o', (env, said) => expect(faults(env)).toMatch(said))

  it('tells all faults at once', () => {
    const said = faults({ WEB_SEARCH: 'tavily', RESEARCHER_CONCURRENCY: 'many' })
    expect(said).toMatch(/TAVILY_API_KEY/)
    expect(said).toMatch(/RESEARCHER_CONCURRENCY/)
  })
})
