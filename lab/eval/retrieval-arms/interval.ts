const resamples = 2_000
const share = 0.95

/** A fixed seed makes the printed figures reproducible. */
const seeded = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the 95 % confidence interval of the mean of `ours - theirs`, by a paired bootstrap. */
export const pairedInterval = (ours: readonly number[], theirs: readonly number[]): [low: number, high: number] => {
  const differences = ours.map((value, at) => value - (theirs[at] ?? 0))
  const random = seeded(1)
  const means = Array.from({ length: resamples }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((a, b) => a - b)
  const outside = Math.floor((resamples * (1 - share)) / 2)
  return [means[outside] ?? 0, means[resamples - 1 - outside] ?? 0]
}
