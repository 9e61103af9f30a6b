export { createClient, type Client } from './client'
export { ProblemError, Unreachable } from './request'
