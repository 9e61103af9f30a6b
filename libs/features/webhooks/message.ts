import type { LedgerEvent, WebhookMessage } from '@plumbline/contracts'

type MessageBody = Pick<WebhookMessage, 'type' | 'data'>

const withWords = new Set(['answered', 'needs_input', 'declined', 'unanswered'])

/** Returns the webhook message for an event of a run. It contains no text that a person or a model has written. */
export const messageBody = (runId: string, event: LedgerEvent): MessageBody | null => {
  const task = event.task === undefined ? {} : { taskId: event.task }
  switch (event.type) {
    case 'parked':
      return { type: 'run.parked', data: { runId, status: 'parked', reason: event.reason, ...task } }
    case 'escalated': {
      const dueAt = new Date(event.dueAt).toISOString()
      return { type: 'run.escalated', data: { runId, status: 'parked', ...task, dueAt } }
    }
    case 'decided':
      return { type: 'run.decided', data: { runId, status: 'decided', ...task, action: event.action } }
    case 'ended': {
      const type = withWords.has(event.status) ? 'run.answered' : 'run.failed'
      return { type, data: { runId, status: event.status, reason: event.reason } }
    }
    default:
      return null
  }
}

export const linkTo = (publicUrl: string | undefined, where: string): { link?: string } =>
  publicUrl === undefined ? {} : { link: `${publicUrl}/${where}` }
