import { detectFormat } from '../detect/detect-format'
import { drawPage } from '../draw-page'
import { loadReader } from '../read-format'
import { withTextWarnings } from '../text-health'
import { serveReading } from './serve-reading'

serveReading({
  read: async (bytes, { name, mediaType, format }, reading, { loaded, allow }) => {
    const found = detectFormat({ bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) })
    const read = await loaded(loadReader[found])
    allow(found)
    return withTextWarnings(await read(bytes, { name, ...reading }))
  },
  draw: async (bytes, { name, mediaType, format, page }, reading, { allow }) => {
    const found = detectFormat({ bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) })
    allow(found)
    return drawPage(found, bytes, page, { name, ...reading })
  },
})
