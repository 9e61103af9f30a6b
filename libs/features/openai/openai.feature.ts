import { routesOnly } from '@plumbline/gateway/feature'
import { CompletionsController } from './completions.controller'
import { ModelsController } from './models.controller'

/** Serves the chat completions API of OpenAI. */
export const openai = routesOnly('openai', [CompletionsController, ModelsController])
