import { Controller, Get } from '@nestjs/common'
import { PolicyList } from '@plumbline/contracts'
import { AnyRole } from '../http/caller'
import { Describe } from '../ops/openapi'
import { RunPorts } from '../ports'

@Controller('v1/policies')
export class PoliciesController {
  constructor(private readonly runPorts: RunPorts) {}

  @Get()
  @AnyRole()
  @Describe({
    summary: 'List the policies that a question or a collection may name, with all fields of each policy',
    answers: { 200: PolicyList },
  })
  list(): PolicyList {
    return { items: this.runPorts.policies.offered }
  }
}
