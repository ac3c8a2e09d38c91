import { useQueryClient } from '@tanstack/react-query'

/** Reads the session again, which says how many second factors and recovery codes the user has. */
export function useReloadSession(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: ['session'] })
}
