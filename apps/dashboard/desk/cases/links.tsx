import { Link } from 'wouter'

const pages = [
  ['~/desk', 'Queue'],
  ['~/desk/cases', 'Cases'],
  ['~/desk/cases/calibration', 'Calibration'],
  ['~/desk/flags', 'Flags'],
] as const

export const DeskLinks = ({ here }: { here: (typeof pages)[number][0] }) => (
  <div className="desk-links" role="navigation" aria-label="Desk">
    {pages.map(([to, name]) => (
      <Link key={to} href={to} aria-current={to === here ? 'page' : undefined}>
        {name}
      </Link>
    ))}
  </div>
)
