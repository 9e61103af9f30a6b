import { chatModelContract, type ChatModelBench } from '@plumbline/ports/chat-model/chat-model.contract'
import { answer, startModelServer, type ModelServer } from '@plumbline/testing/model-server'
import { openOpenAiChatModel } from './index'

const benchOf = async (prepare: (server: ModelServer) => void = () => undefined): Promise<ChatModelBench> => {
  const server = await startModelServer()
  prepare(server)
  return {
    model: openOpenAiChatModel({ baseUrl: server.openaiUrl, apiKey: 'a-key', model: 'gpt-4.1-mini' }),
    says: (text) => server.script(() => true, answer.text(text)),
    refuses: (reason) => server.script(() => true, answer.refused(reason)),
    hangs: () => server.script(() => true, answer.hang()),
    reached: () => server.calls('chat').length,
    close: () => server.close(),
  }
}

chatModelContract('a server that knows JSON schemas', () => benchOf())
chatModelContract('a server that knows only tools', () => benchOf((server) => server.unsupported('json_schema')))
chatModelContract('a server that knows neither', () =>
  benchOf((server) => {
    server.unsupported('json_schema')
    server.unsupported('tools')
  }),
)
chatModelContract('a server that passes over schemas', () =>
  benchOf((server) => server.unsupported('json_schema', 'ignored')),
)
chatModelContract('a server that refuses to stream', () => benchOf((server) => server.unsupported('stream')))
chatModelContract('a server that passes over the wish to stream', () =>
  benchOf((server) => server.unsupported('stream', 'ignored')),
)
