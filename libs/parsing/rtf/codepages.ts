/** The names of code pages. The list lacks the code pages 1250 to 1258, whose names are `windows-` plus the number. */
const charsetNames: Record<number, string> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

export const codepage = (number: number): string =>
  charsetNames[number] ?? (number >= 1250 && number <= 1258 ? `windows-${number}` : 'windows-1252')

const ofCharset: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

export const codepageOfCharset = (charset: number): string | undefined => {
  const number = ofCharset[charset]
  return number === undefined ? undefined : codepage(number)
}
