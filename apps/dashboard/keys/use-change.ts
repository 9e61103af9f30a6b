import { useMutation, useQueryClient } from '@tanstack/react-query'

export const useChange = <Input, Output>(change: (input: Input) => Promise<Output>, onDone: (done: Output) => void) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (done) => {
      onDone(done)
      await queries.invalidateQueries({ queryKey: ['keys'] })
    },
  })
}
