export type { Endpoint } from './endpoint'
export { openAiChatProvider, openOpenAiChatModel, type ChatOptions } from './openai-chat-model'
export { openOpenAiEmbedder } from './openai-embedder'
