export { traceOf, tracer } from './trace'
