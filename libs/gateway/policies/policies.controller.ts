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
    summary: 'List the policies that a question or a collection may name, with all fields of each policy',
    answers: { 200: PolicyList },
  })
  list(): PolicyList {
    return { items: this.ports.policies.offered }
  }
}
