import { detectFormat } from '../detect'
import { readFormat } from '../read'
import { serveReading } from './serve-reading'

serveReading((bytes, { name, mediaType, format }, onPage) => {
  const found = detectFormat({ bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) })
  return readFormat[found](bytes, { name, onPage })
})
