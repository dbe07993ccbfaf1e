import type { ServerMark } from '@lodge/shared/server-labels.ts'
import type { MarkedServer } from '@lodge/shared/servers.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { applyMark } from './live.ts'
import { t } from './words.ts'

/** Changes the person's own mark on a server: shown immediately, reverted when refused. */
export function useMark({ id, name, folder, favourite }: MarkedServer) {
  const client = useQueryClient()
  const before: ServerMark = { folder, favourite }
  return useMutation({
    mutationFn: (change: Partial<ServerMark>) =>
      api('PUT /api/servers/{id}/mark', { params: { id }, body: { ...before, ...change } }),
    onMutate: (change) => applyMark(client, { serverId: id, ...before, ...change }),
    onSuccess: (_saved, change) => {
      // A concurrent fetch may have restored the former mark.
      applyMark(client, { serverId: id, ...before, ...change })
      return client.invalidateQueries({ queryKey: ['GET /api/me/servers/labels'] })
    },
    onError: (error) => {
      applyMark(client, { serverId: id, ...before })
      toastRefused(t.markRefused({ server: name }), error)
    },
  })
}
