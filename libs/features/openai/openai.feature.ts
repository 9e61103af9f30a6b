import { routesOnly } from '@plumbline/gateway/feature'
import { CompletionsController } from './completions.controller'
import { ModelsController } from './models.controller'

/** Answers clients of OpenAI's chat completions. */
export const openai = routesOnly('openai', [CompletionsController, ModelsController])
