export type { ChatMessage, ChatModel, ChatReply, ChatRequest, ProviderCall } from './chat-model'
