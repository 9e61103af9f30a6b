import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { mayRead, useSession } from '../session'

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
