import type { ChangeMark } from '@lodge/shared/server-labels.ts'
import type { MarkedServer } from '@lodge/shared/servers.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { applyMark } from './live.ts'
import { t } from './words.ts'

/**
 * Changes the person's own mark on a server: shown immediately, reverted when refused. Only what changes
 * is sent, so that a star set while a folder is being saved leaves the folder alone.
 */
export function useMark({ id, name, folder, favourite }: MarkedServer) {
  const client = useQueryClient()
  const apply = (change: ChangeMark) => applyMark(client, { serverId: id, ...change })
  return useMutation({
    mutationFn: (change: ChangeMark) =>
      api('PUT /api/servers/{id}/mark', { params: { id }, body: change }),
    onMutate: (change) => {
      // Taken now: by the time of a refusal, the list shows the new mark.
      const before: ChangeMark = {
        ...(change.folder !== undefined && { folder }),
        ...(change.favourite !== undefined && { favourite }),
      }
      apply(change)
      return before
    },
    onSuccess: (_saved, change) => {
      // A concurrent fetch may have restored the former mark.
      apply(change)
      return client.invalidateQueries({ queryKey: ['GET /api/me/servers/labels'] })
    },
    onError: (error, _change, before) => {
      if (before) apply(before)
      toastRefused(t.markRefused({ server: name }), error)
    },
  })
}
