/** What a font's name and weight tell of it. */
type Font = { fontName?: string; fontWeight?: number }

const bold = /bold|black|heavy|demi|semibd|(sf|cm)bx?\d|[-,]bd|cmssbx|-md$/i
const mono =
  /mono|courier|consol|typewriter|cmtt|sftt|menlo|monaco|inconsolata|fixed|sourcecode|firacode|lucidacons|txtt|nimbusmon|gothic-?roman$/i

export const isBold = ({ fontName = '', fontWeight = 0 }: Font): boolean => bold.test(fontName) || fontWeight >= 600
export const isMono = ({ fontName = '' }: Font): boolean => mono.test(fontName)
