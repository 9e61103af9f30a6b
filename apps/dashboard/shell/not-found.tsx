import { Link, useLocation } from 'wouter'
import { useTitle } from '../ui/title'

export const NotFound = () => {
  const [path] = useLocation()
  useTitle('Page not found')
  return (
    <main className="page">
      <h1>Page not found</h1>
      <p className="soft">
        There is no page at <code>{path}</code>. Check the address, or <Link href="/">ask a question</Link>.
      </p>
    </main>
  )
}
