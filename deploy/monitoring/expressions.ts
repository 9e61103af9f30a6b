const words = new Set([
  'by',
  'without',
  'on',
  'ignoring',
  'and',
  'or',
  'unless',
  'group_left',
  'group_right',
  'offset',
  'bool',
  'inf',
  'nan',
])
/** Prometheus adds these labels to every series. */
const everywhere = new Set(['instance', 'job'])

export type KnownMetrics = Map<string, { type: string; labels: string[] }>
type Used = { metric: string; labels: string[] }

/** Returns the metrics in an expression, each with the labels that the expression uses. */
const usedIn = (expression: string): Used[] => {
  const plain = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/\[[^\]]*\]/g, '')
  const grouped = [...plain.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  )
  const rest = plain.replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  return [...rest.matchAll(/([a-zA-Z_:][\w:]*)(?:\{([^}]*)\})?(?!\w|\s*\()/g)].flatMap(
    ([, metric = '', matchers = '']) =>
      words.has(metric.toLowerCase())
        ? []
        : [
            {
              metric,
              labels: [...grouped, ...matchers.matchAll(/(\w+)\s*(?:=|!)/g).map(([, label = '']) => label)].filter(
                Boolean,
              ),
            },
          ],
  )
}

/**
 * Returns the metrics and labels of an expression that no process exports. `recorded` contains the names of the
 * recording rules.
 */
export const unknownIn = (expression: string, known: KnownMetrics, recorded: ReadonlySet<string>): string[] =>
  usedIn(expression).flatMap(({ metric, labels }) => {
    if (recorded.has(metric)) return []
    const base = metric.replace(/_(?:bucket|sum|count)$/, '')
    const found = known.get(metric) ?? (known.get(base)?.type === 'histogram' ? known.get(base) : undefined)
    if (!found) return [metric]
    const its = new Set([...found.labels, ...(metric.endsWith('_bucket') ? ['le'] : []), ...everywhere])
    return labels.filter((label) => !its.has(label)).map((label) => `${metric}{${label}}`)
  })
