import type { MarkedServer } from '@lodge/shared/servers.ts'
import { ApiError } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Empty, LoadFailed, Skeletons } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { t } from './words.ts'

export const FolderWaiting = () => (
  <Card>
    <Skeletons lines={8} />
  </Card>
)

interface FolderEmptyProps {
  /** There are entries, but only hidden ones. */
  isHidden: boolean
  cannotWrite: string | undefined
  onHidden: () => void
}

export function FolderEmpty({ isHidden, cannotWrite, onHidden }: FolderEmptyProps) {
  if (isHidden)
    return (
      <Empty
        title={t.onlyHidden}
        art="search"
        action={<Button onClick={onHidden}>{t.showHidden}</Button>}
      />
    )
  return (
    <Empty title={t.emptyTitle} art="copies">
      {cannotWrite === undefined ? t.emptyText : t.emptyReadOnly}
    </Empty>
  )
}

interface FolderRefusedProps {
  folder: string
  /** Why this person sees no files, if that is known. */
  why: string | undefined
  error: Error | null
  server: MarkedServer
  onRetry: () => void
}

/** The files cannot be shown: says why, and what to do. */
export function FolderRefused({ folder, why, error, server, onRetry }: FolderRefusedProps) {
  const code = error instanceof ApiError ? error.problem.code : undefined
  return (
    <Card>
      {why !== undefined ? (
        <Empty title={why} art="locked" />
      ) : code === 'file_not_found' || code === 'not_a_folder' || code === 'validation_failed' ? (
        <Empty
          title={t.goneTitle}
          art="missing"
          action={
            <LinkButton to={paths.serverFiles} params={{ id: server.id }} search={{}}>
              {t.toRoot}
            </LinkButton>
          }
        >
          {t.goneText({ path: folder })}
        </Empty>
      ) : code === 'node_unavailable' || !server.nodeOnline ? (
        <Empty title={t.offlineTitle} art="offline">
          {t.offlineText}
        </Empty>
      ) : (
        <LoadFailed error={error} onRetry={onRetry} />
      )}
    </Card>
  )
}
