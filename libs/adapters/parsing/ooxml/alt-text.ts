import type { XmlNode } from '../xml'
import type { Block } from './lists'
import { prose } from './lists'

const said = /(?:description automatically generated|ai-generated content may be incorrect).*$/is
const saysNothing =
  /^(?:(?:picture|image|graphic|logo|icon|shape|figure|grafik|bild)\s*\d*|\S+\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf))$/i

/** What an author wrote of a picture for those who do not see it. */
export const altText = (named: XmlNode | undefined): Block[] => {
  const text = (named?.attributes['descr'] ?? '').replace(said, '').replace(/\s+/g, ' ').trim()
  return text === '' || saysNothing.test(text) ? [] : [prose(`Image: ${text}`)]
}
