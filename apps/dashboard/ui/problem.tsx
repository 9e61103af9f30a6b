import { Component, type ReactNode } from 'react'
import { ProblemError } from '@plumbline/client'
import { Button } from './controls'

const problemText = (error: unknown): { title: string; detail: string } =>
  error instanceof ProblemError
    ? { title: error.problem.title, detail: error.problem.detail }
    : { title: 'Something went wrong', detail: error instanceof Error ? error.message : String(error) }

export const Problem = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const { title, detail } = problemText(error)
  return (
    <div className="problem" role="alert">
      <b>{title}</b>
      <p>{detail}</p>
      {retry && <Button onPress={retry}>Retry</Button>}
    </div>
  )
}

export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <main>
        <Problem error={this.state.error} retry={() => this.setState({ error: null })} />
      </main>
    )
  }
}
