import { Controller, Get, Inject } from '@nestjs/common'
import { PolicyList } from '@plumbline/contracts'
import { Describe } from '../ops/describe'
import { POLICIES } from '../ports'
import type { PolicyBook } from './policy-book'

@Controller('v1/policies')
export class PoliciesController {
  constructor(@Inject(POLICIES) private readonly book: PolicyBook) {}

  @Get()
  @Describe({
    summary: 'The policies an ask or a collection may name, each a whole record',
    answers: { 200: PolicyList },
  })
  list(): PolicyList {
    return { items: this.book.all }
  }
}
