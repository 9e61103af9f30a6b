/** A grayscale image: one byte per pixel, row by row. */
type Pixels = { data: Uint8Array; width: number; height: number }

const mostDegrees = 8
const [coarse, fine] = [0.5, 0.1]
/** The number of rows in which dark pixels are counted. A line of text covers several of these rows. */
const profileRows = 1_000
const mostDots = 100_000
/** A rotation is accepted only if it increases the sharpness by at least this factor. */
const leastGain = 1.05

const tangent = (degrees: number): number => Math.tan((degrees * Math.PI) / 180)

type Dots = { xs: number[]; ys: number[] }

/** Returns the dark pixels, which are darker than the mean by at least one standard deviation. */
const darkDots = ({ data, width, height }: Pixels): Dots => {
  const step = Math.max(1, Math.ceil(data.length / 4_000_000))
  let [count, sum, squares] = [0, 0, 0]
  for (let at = 0; at < data.length; at += step * 7) {
    const value = data[at] ?? 0
    count += 1
    sum += value
    squares += value * value
  }
  const mean = sum / count
  const dark = mean - Math.max(8, Math.sqrt(Math.max(0, squares / count - mean * mean)))
  const dots: Dots = { xs: [], ys: [] }
  for (let y = 0; y < height; y += step)
    for (let x = y % 3; x < width; x += 3 * step)
      if ((data[y * width + x] ?? 255) < dark) {
        dots.xs.push(x)
        dots.ys.push(y)
      }
  const over = Math.ceil(dots.xs.length / mostDots)
  const kept = (_: number, at: number): boolean => at % over === 0
  return over <= 1 ? dots : { xs: dots.xs.filter(kept), ys: dots.ys.filter(kept) }
}

/**
 * Counts the dark pixels per row of the rotated image and adds the squares. The sum is greatest for upright text lines.
 */
const sharpness = ({ xs, ys }: Dots, { width, height }: Pixels, degrees: number): number => {
  const [slope, scale] = [tangent(degrees), profileRows / height]
  const room = Math.ceil(width * Math.abs(slope) * scale) + 1
  const rows = new Uint32Array(profileRows + 2 * room)
  xs.forEach((x, at) => {
    const row = Math.floor(((ys[at] ?? 0) - x * slope) * scale) + room
    rows[row] = (rows[row] ?? 0) + 1
  })
  return rows.reduce((total, dots) => total + dots * dots, 0)
}

const between = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step)

/** Returns the tilt in degrees. It is positive if lines slope down to the right, and 0 if the result is uncertain. */
export const skewOf = (pixels: Pixels): number => {
  const dots = darkDots(pixels)
  const best = (angles: readonly number[]): number =>
    angles
      .map((degrees) => ({ degrees, sharp: sharpness(dots, pixels, degrees) }))
      .reduce((most, one) => (one.sharp > most.sharp ? one : most)).degrees
  const rough = best(between(-mostDegrees, mostDegrees, coarse))
  const degrees = best(between(rough - coarse, rough + coarse, fine))
  const gain = sharpness(dots, pixels, degrees) / Math.max(1, sharpness(dots, pixels, 0))
  return gain < leastGain ? 0 : degrees
}
