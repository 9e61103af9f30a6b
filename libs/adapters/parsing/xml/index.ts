export type { Attributes } from './events'
export { readXml } from './events'
export type { XmlNode } from './tree'
export { below, child, childrenOf, isOn, val, xmlTree } from './tree'
