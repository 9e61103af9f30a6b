export { createClient, type Client } from './client'
export { ProblemError, Unreachable } from './request'
export { verifyAudit, type AuditVerdict } from './verify-audit'
export { verifyWebhook, WebhookRefused } from './verify-webhook'
