import { detectFormat } from '../detect/detect-format'
import { loadReader } from '../read-format'
import { serveReading } from './serve-reading'

serveReading(async (bytes, { name, mediaType, format }, onPage, { loaded, allow }) => {
  const found = detectFormat({ bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) })
  const read = await loaded(loadReader[found])
  allow(found)
  return read(bytes, { name, onPage })
})
