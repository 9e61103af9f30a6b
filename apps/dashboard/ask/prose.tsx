import { type ComponentProps, lazy, Suspense } from 'react'

const loadCited = () => import('./cited-prose')
const loadMarked = () => import('../ui/marked-prose')
const Cited = lazy(() => loadCited().then(({ CitedProse }) => ({ default: CitedProse })))
const Marked = lazy(() => loadMarked().then(({ MarkedProse }) => ({ default: MarkedProse })))

/** Loads the code that shows Markdown in answers. The first load of the app does not include this code. */
export const preloadProse = (): void => void Promise.all([loadCited(), loadMarked()]).catch(() => undefined)

const Plain = ({ text }: { text: string }) => <div className="prose plain">{text}</div>

export const CitedProse = (props: ComponentProps<typeof Cited>) => (
  <Suspense fallback={<Plain text={props.text} />}>
    <Cited {...props} />
  </Suspense>
)
export const MarkedProse = (props: ComponentProps<typeof Marked>) => (
  <Suspense fallback={<Plain text={props.text} />}>
    <Marked {...props} />
  </Suspense>
)
