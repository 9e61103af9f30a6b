/** Decimal, as people round: 1.005 to two places is 1.01. */
export const round = (value: number, places = 0): number => {
  const [digits = '', exponent = '0'] = Math.abs(value).toString().split('e')
  const scaled = Math.round(Number(`${digits}e${Number(exponent) + places}`))
  const rounded = Number(`${scaled}e${-places}`)
  return Math.sign(value) * (Number.isFinite(rounded) ? rounded : Math.abs(value))
}

/** Binary fractions leave digits behind that nobody wrote. */
export const withoutNoise = (value: number): number => Number(value.toPrecision(14))

const mostDecimals = 10

/** A number as people write it: `11,614.72`. Small ones keep four digits; asked-for decimals are all shown. */
export const figure = (value: number, decimals?: number): string => {
  const size = Math.abs(value)
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return String(value)
  if (decimals !== undefined) {
    const places = Math.min(decimals, mostDecimals)
    return round(value, places).toLocaleString('en-US', {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    })
  }
  const rounded = size === 0 || size >= 1 ? round(value, 2) : Number(value.toPrecision(4))
  return rounded.toLocaleString('en-US', { maximumFractionDigits: mostDecimals })
}
