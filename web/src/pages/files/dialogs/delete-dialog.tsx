import type { Entry } from '@lodge/shared/files.ts'
import { useAct, useRefresh } from '../../../query.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { isFolder } from '../file-kind.ts'
import { CHANGES, SPACE } from '../use-listing.ts'
import { t } from './words.ts'

const MOST_NAMED = 5

interface DeleteDialogProps {
  serverId: string
  entries: readonly Entry[] | undefined
  /** Whether it asks because there is no bin for them. */
  noRoom: boolean
  onClose: () => void
}

/** Asks before files are deleted for good. */
export function DeleteDialog({ serverId, entries = [], noRoom, onClose }: DeleteDialogProps) {
  const refresh = useRefresh()
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
      verb={t.deleteForGood}
      onConfirm={async () => {
        await remove.mutateAsync({
          params: { id: serverId },
          body: { paths: entries.map(({ path }) => path), permanent: true },
        })
        void refresh([SPACE])
      }}
    >
      <Column gap={10}>
        {noRoom ? <Text>{t.deleteNoRoom}</Text> : null}
        <Text>{more > 0 ? t.deleteMore({ files, more }) : t.deleteText({ files })}</Text>
        {folders > 0 ? <Text>{t.deleteFolders({ count: folders })}</Text> : null}
      </Column>
    </ConfirmDialog>
  )
}
