export { ingestor } from './ingestor.module'
