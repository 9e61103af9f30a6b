import { detectFormat } from '../detect'
import { readFormat } from '../read'
import { serveReading } from './serve-reading'

serveReading((bytes, { name, mediaType, format }, onPage, allow) => {
  const found = detectFormat({ bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) })
  allow(found)
  return readFormat[found](bytes, { name, onPage })
})
