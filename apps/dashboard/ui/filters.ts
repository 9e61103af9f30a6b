import { useSearchParams } from 'wouter'

export const useFilters = (): [URLSearchParams, (name: string, value: string) => void] => {
  const [filters, change] = useSearchParams()
  const set = (name: string, value: string): void =>
    change(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return [filters, set]
}
