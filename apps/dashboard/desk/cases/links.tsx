import { Link } from 'wouter'

const pages = [
  ['~/desk', 'Queue'],
  ['~/desk/cases', 'Cases'],
  ['~/desk/cases/calibration', 'Calibration'],
  ['~/desk/flags', 'Flags'],
] as const

/** Shows links to the pages of the desk. `here` is the URL path of the current page. */
export const DeskLinks = ({ here }: { here: (typeof pages)[number][0] }) => (
  <div className="desk-links" role="navigation" aria-label="Desk">
    {pages.map(([to, name]) => (
      <Link key={to} href={to} aria-current={to === here ? 'page' : undefined}>
        {name}
      </Link>
    ))}
  </div>
)
