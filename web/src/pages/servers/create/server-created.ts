import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'

/** What follows on a server that was accepted: its lists are stale, and one looks at the server. */
export function useServerCreated(
  path: typeof paths.serverConsole | typeof paths.serverScreen = paths.serverConsole,
): (created: { serverId: string }) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  return ({ serverId }) => {
    for (const list of ['GET /api/servers', 'GET /api/jobs', 'GET /api/limits/me'])
      void client.invalidateQueries({ queryKey: [list] })
    void navigate({ to: path, params: { id: serverId } })
  }
}
