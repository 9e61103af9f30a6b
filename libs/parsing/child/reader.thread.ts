import { readFile } from '../read-format'
import { serveReading } from './serve-reading'

serveReading((bytes, { name, mediaType, format }, onPage, allowance) =>
  readFile({ bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) }, allowance, onPage),
)
