export { createClient, type Client, type ClientOptions } from './client'
export { ProblemError, Unreachable } from './request'
