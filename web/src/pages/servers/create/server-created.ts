import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'

/** After a server was created: refreshes the lists and opens its page. */
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
