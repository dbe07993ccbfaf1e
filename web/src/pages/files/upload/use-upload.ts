import { api } from '../../../api.ts'
import { useRefresh } from '../../../query.ts'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import { CHANGES } from '../use-listing.ts'
import { beginUpload } from './begin.ts'
import type { Chosen } from './transfer.ts'
import { t } from './words.ts'

/** Uploads what was chosen, and creates empty folders. */
export function useUpload(serverId: string): (chosen: Chosen | Promise<Chosen>) => Promise<void> {
  const refresh = useRefresh()
  return async (chosen) => {
    try {
      const { files, folders } = await chosen
      if (files.length > 0) beginUpload(serverId, { files })
      for (const path of folders)
        await api('POST /api/servers/{id}/files/mkdir', {
          params: { id: serverId },
          body: { path },
        })
      if (folders.length > 0) await refresh(CHANGES)
    } catch (error) {
      toastRefused(t.notRead, error)
    }
  }
}
