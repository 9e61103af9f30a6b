/** The fields of a ScaledObject that determine the number of pods. */
type Policy = { type: 'Percent' | 'Pods'; value: number; periodSeconds: number }
type Rules = { stabilizationWindowSeconds: number; policies: Policy[] }
export type Scaling = { min: number; max: number; pollSeconds: number; scaleUp: Rules; scaleDown: Rules }

/** The defaults of Kubernetes' HorizontalPodAutoscaler. */
const tolerance = 0.1
export const syncSeconds = 15

/** How many pods a value asks for: so many that each has the target of it, and as many as there are where that is nearly so. */
export const asked = (value: number, target: number, pods: number): number =>
  Math.abs(value / (target * pods) - 1) <= tolerance ? pods : Math.ceil(value / target)

type Change = { at: number; by: number }

/** As many pods as the policies allow after what was changed within their periods. */
const limitOf = ({ policies }: Rules, changes: Change[], at: number, pods: number, sign: 1 | -1): number => {
  const limits = policies.map(({ type, value, periodSeconds }) => {
    const changed = changes.reduce((sum, change) => sum + (change.at > at - periodSeconds ? change.by : 0), 0)
    const before = pods - changed
    if (type === 'Pods') return before + sign * value
    const scaled = before * (1 + (sign * value) / 100)
    return sign > 0 ? Math.ceil(scaled) : Math.trunc(scaled)
  })
  return sign > 0 ? Math.max(pods, ...limits) : Math.min(pods, ...limits)
}

/** Kubernetes' HorizontalPodAutoscaler, looked at every `syncSeconds`: how many pods there are to be now. */
export const openAutoscaler = ({ min, max, scaleUp, scaleDown }: Scaling) => {
  const wishes: { at: number; pods: number }[] = []
  const changes: Change[] = []
  const within = (at: number, { stabilizationWindowSeconds: window }: Rules, wished: number): number[] => [
    wished,
    ...wishes.filter((wish) => wish.at > at - window).map(({ pods }) => pods),
  ]
  return (at: number, pods: number, wished: number): number => {
    const up = Math.min(...within(at, scaleUp, wished))
    const down = Math.max(...within(at, scaleDown, wished))
    wishes.push({ at, pods: wished })
    let next = pods
    if (up > pods) next = Math.min(up, limitOf(scaleUp, changes, at, pods, 1))
    else if (down < pods) next = Math.max(down, limitOf(scaleDown, changes, at, pods, -1))
    next = Math.min(max, Math.max(min, next))
    if (next !== pods) changes.push({ at, by: next - pods })
    return next
  }
}
