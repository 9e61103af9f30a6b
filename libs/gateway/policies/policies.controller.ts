import { Controller, Get, Inject } from '@nestjs/common'
import { PolicyList } from '@plumbline/contracts'
import { AnyRole } from '../http/caller'
import { Describe } from '../ops/openapi'
import { PORTS, type GatewayPorts } from '../ports'

@Controller('v1/policies')
export class PoliciesController {
  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @AnyRole()
  @Describe({
    summary: 'The policies that a question or a collection may name, each with all its fields',
    answers: { 200: PolicyList },
  })
  list(): PolicyList {
    return { items: this.ports.policies.offered }
  }
}
