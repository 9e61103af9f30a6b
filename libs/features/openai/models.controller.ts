import { Controller, Get, Param } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import { ChatModelInfo, ChatModelList } from '@plumbline/contracts'
import { Roles } from '@plumbline/gateway/http/caller'
import { Describe } from '@plumbline/gateway/ops/openapi'
import { RunPorts } from '@plumbline/gateway/ports'
import { openaiError } from './error'
import { modelsOf, policyOfModel } from './question'

// OpenAI's format requires `created`, but a policy has no creation time.
const modelOf = (id: string): ChatModelInfo => ({ id, object: 'model', created: 0, owned_by: 'plumbline' })

@Controller('v1/models')
export class ModelsController {
  constructor(private readonly runPorts: RunPorts) {}

  @Get()
  @Roles('asker')
  @RouteConfig({ errorBody: openaiError })
  @Describe({
    summary:
      'List the values for the field `model` of a completion: the policies, and `plumbline` for the default policy',
    answers: { 200: ChatModelList },
  })
  list(): ChatModelList {
    return { object: 'list', data: modelsOf(this.runPorts.policies).map(modelOf) }
  }

  @Get(':id')
  @Roles('asker')
  @RouteConfig({ errorBody: openaiError })
  @Describe({ summary: 'Show one of the models', answers: { 200: ChatModelInfo } })
  one(@Param('id') id: string): ChatModelInfo {
    policyOfModel(this.runPorts.policies, id)
    return modelOf(id)
  }
}
