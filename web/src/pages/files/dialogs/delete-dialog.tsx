import type { Entry } from '@lodge/shared/files.ts'
import { useAct } from '../../../query.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { isFolder } from '../file-kind.ts'
import { CHANGES } from '../use-listing.ts'
import { t } from './words.ts'

const MOST_NAMED = 5

interface DeleteDialogProps {
  serverId: string
  entries: readonly Entry[] | undefined
  onClose: () => void
}

export function DeleteDialog({ serverId, entries = [], onClose }: DeleteDialogProps) {
  const remove = useAct('POST /api/servers/{id}/files/delete', CHANGES)
  const named = entries.slice(0, MOST_NAMED).map(({ name }) => name)
  const more = entries.length - named.length
  const files = named.join(', ')
  const folders = entries.filter(isFolder).length
  return (
    <ConfirmDialog
      opened={entries.length > 0}
      onClose={onClose}
      title={t.deleteTitle({ count: entries.length, file: entries[0]?.name ?? '' })}
      verb={t.delete}
      onConfirm={() =>
        remove.mutateAsync({
          params: { id: serverId },
          body: { paths: entries.map(({ path }) => path) },
        })
      }
    >
      {more > 0 ? t.deleteMore({ files, more }) : t.deleteText({ files })}{' '}
      {folders > 0 ? t.deleteFolders({ count: folders }) : null}
    </ConfirmDialog>
  )
}
