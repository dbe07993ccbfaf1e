import type { Entry } from '@lodge/shared/files.ts'
import { ApiError, api } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { toastUndo } from '../../ui/notices/undo-toast.ts'
import { CHANGES, SPACE } from './use-listing.ts'
import { t } from './words.ts'

/**
 * Deletes entries, with one click to undo.
 * @param onNoRoom asks whether to delete them for good, because there is no bin for them
 */
export function useDelete(
  serverId: string,
  onNoRoom: (entries: readonly Entry[]) => void,
): (entries: readonly Entry[]) => void {
  const refresh = useRefresh()
  const params = { id: serverId }
  const undo = async (deletionId: string): Promise<void> => {
    try {
      const { items } = await api('POST /api/servers/{id}/files/bin/restore', {
        params,
        body: { ids: [deletionId] },
      })
      void refresh([SPACE])
      await refresh(CHANGES)
      const renamed = items.find(({ path, entry }) => entry.path !== path)
      toastDone(
        t.restored({ count: items.length, file: items[0]?.entry.name ?? '' }),
        renamed && t.restoredAs({ file: renamed.entry.name }),
      )
    } catch (error) {
      toastRefused(t.notRestored, error)
    }
  }
  const remove = async (entries: readonly Entry[]): Promise<void> => {
    try {
      const { deletionId } = await api('POST /api/servers/{id}/files/delete', {
        params,
        body: { paths: entries.map(({ path }) => path), permanent: false },
      })
      void refresh([SPACE])
      await refresh(CHANGES)
      const title = t.deleted({ count: entries.length, file: entries[0]?.name ?? '' })
      if (deletionId === null) toastDone(title)
      else toastUndo(title, { label: t.undo, onSelect: () => void undo(deletionId) })
    } catch (error) {
      if (error instanceof ApiError && error.problem.code === 'too_large_for_bin') onNoRoom(entries)
      else toastRefused(t.notDeleted, error)
    }
  }
  return (entries) => void remove(entries)
}
