import type { Client } from '@plumbline/client'
import type { Options } from './args'
import type { Lines } from './lines'
import type { Screen } from './render/paint'

/** What every part of a conversation with the gateway shares. */
export type Session = { client: Client; options: Options; screen: Screen; lines: Lines; print(lines: string[]): void }
