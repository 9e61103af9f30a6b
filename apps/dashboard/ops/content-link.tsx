import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { mayRead, useSession } from '../session'

/** Links to a page that shows content. Shows only the text if the user's role may not open that page. */
export const ContentLink = ({
  href,
  className,
  children,
}: {
  href: string
  className?: string
  children: ReactNode
}) => {
  const { me } = useSession()
  if (!mayRead(me)) return <span className={className}>{children}</span>
  return (
    <Link href={href} className={className}>
      {children}
    </Link>
  )
}
