export { traceOf, tracer, type TraceLine } from './trace'
