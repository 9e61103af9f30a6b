import { detectFormat } from '../detect/detect-format'
import { drawPage } from '../draw-page'
import { readDocument } from '../read-document'
import { serveReading } from './serve-reading'

serveReading({
  read: async (bytes, { name, mediaType, format }, reading, allowance) => {
    const file = { bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) }
    return readDocument(file, allowance, reading)
  },
  draw: async (bytes, { name, mediaType, format, page }, reading, { allow }) => {
    const found = detectFormat({ bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) })
    allow(found)
    return drawPage(found, bytes, page, { name, ...reading })
  },
})
