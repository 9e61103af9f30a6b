import type { ScoreBucket } from '@plumbline/contracts'
import { percent } from './labels'

const [width, height, left, bottom] = [320, 170, 46, 28]
const x = (at: number, of: number): number => left + (at * (width - left)) / of
const y = (share: number): number => 8 + (1 - share) * (height - bottom - 8)

export const ScoreChart = ({ buckets }: { buckets: ScoreBucket[] }) => {
  const most = Math.max(1, ...buckets.map(({ cases }) => cases))
  const room = (width - left) / buckets.length
  return (
    <svg
      className="score-chart"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label="Share of drafts approved unchanged, by score"
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={left} x2={width} y1={y(share)} y2={y(share)} />
          <text x={left - 6} y={y(share) + 4} textAnchor="end">
            {percent(share)}
          </text>
        </g>
      ))}
      {buckets.map(({ from, to, cases, approved }, at) => {
        const wide = cases === 0 ? 0 : Math.max(4, (room - 8) * Math.sqrt(cases / most))
        const share = cases === 0 ? 0 : approved / cases
        return (
          <g key={from}>
            {cases > 0 && (
              <rect
                x={x(at + 0.5, buckets.length) - wide / 2}
                y={y(share) - 1}
                width={wide}
                height={y(0) - y(share) + 2}
              />
            )}
            <text x={x(at + 0.5, buckets.length)} y={height - 10} textAnchor="middle">
              {from === to ? '1' : from.toFixed(1)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
