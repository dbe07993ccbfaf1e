import type { Entry } from '@lodge/shared/files.ts'
import type { MarkedServer } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Table } from '../../ui/data/table.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { BulkFiles } from './bulk-files.tsx'
import type { Doing } from './doing.ts'
import { fileColumns } from './file-columns.tsx'
import { isFolder } from './file-kind.ts'
import { fileMenu } from './file-menu.tsx'
import { folderOf, joined, nameOf } from './file-names.ts'
import styles from './files.module.css'
import { FolderEmpty, FolderRefused, FolderWaiting } from './folder-states.tsx'
import { sorted } from './sorted.ts'
import { dropped } from './upload/collect.ts'
import { useUpload } from './upload/use-upload.ts'
import type { Cannot } from './use-can.ts'
import { useDrops } from './use-drops.ts'
import { useFileKeys } from './use-file-keys.ts'
import { CHANGES, useListing } from './use-listing.ts'
import { useSelection } from './use-selection.ts'
import { t } from './words.ts'

interface FolderViewProps {
  server: MarkedServer
  folder: string
  can: Cannot
  /** Whether hidden files are shown. */
  hidden: boolean
  onHidden: () => void
  onDo: (doing: Doing) => void
  onGo: (folder: string) => void
}

const keyOf = ({ path }: Entry): string => path

/** The contents of a folder. */
export function FolderView(props: FolderViewProps) {
  const { server, folder, can, hidden, onHidden, onDo, onGo } = props
  const { query, items, goesOn } = useListing(server.id, folder)
  const [sort, setSort] = useState<string>()
  const rows = useMemo(
    () => sorted(hidden ? items : items.filter(({ name }) => !name.startsWith('.')), sort),
    [items, hidden, sort],
  )
  const rowPaths = useMemo(() => rows.map(keyOf), [rows])
  const selection = useSelection(rowPaths)
  const chosen = rows.filter(({ path }) => selection.ids.has(path))
  const wrap = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const entryOf = (path: string): Entry | undefined => rows.find((one) => one.path === path)
  useFileKeys(wrap, {
    selection,
    paths: rowPaths,
    onUp: () => {
      if (folder !== '/') onGo(folderOf(folder))
    },
    onRename: (path) => {
      const entry = entryOf(path)
      if (entry && can.write === undefined) onDo({ what: 'rename', entry })
    },
    onDelete: (paths, forGood) => {
      const entries = rows.filter(({ path }) => paths.includes(path))
      if (entries.length > 0 && can.delete === undefined)
        onDo({ what: 'delete', entries, ...(forGood && { forGood: 'wanted' }) })
    },
  })
  const upload = useUpload(server.id)
  const move = useMove(server.id)
  const drops = useDrops({
    folder,
    selection,
    isFolder: (path) => {
      const entry = entryOf(path)
      return entry !== undefined && isFolder(entry)
    },
    canWrite: can.write === undefined,
    onFiles: (data, into) => void upload(dropped(data, into)),
    onMove: move,
  })
  const { id } = server
  const columns = useMemo(
    () =>
      fileColumns({
        serverId: id,
        onPreview: (entry) => onDo({ what: 'preview', entry }),
        entriesOf: (entry) => fileMenu(entry, { serverId: id, can, navigate, onDo }),
      }),
    [id, can.write, can.delete, navigate],
  )
  if (can.read !== undefined || (query.isError && items.length === 0))
    return (
      <FolderRefused
        folder={folder}
        why={can.read}
        error={query.error}
        server={server}
        onRetry={() => void query.refetch()}
      />
    )
  if (!query.data) return <FolderWaiting />
  const folders = rows.filter(isFolder).length
  return (
    <div
      ref={wrap}
      className={styles.view}
      data-over={drops.over !== undefined || undefined}
      onClickCapture={selection.click}
      {...drops.handlers}
    >
      <Card flush>
        <div className={styles.list}>
          <Table
            label={t.filesOf({ server: server.name })}
            rows={rows}
            columns={columns}
            keyOf={keyOf}
            keys
            even
            selection={{ ids: selection.ids, onChange: selection.set, nameOf }}
            sorting={{ by: sort ?? 'name', onChange: setSort }}
            empty={
              <FolderEmpty
                isHidden={items.length > 0}
                cannotWrite={can.write}
                onHidden={onHidden}
              />
            }
          />
        </div>
      </Card>
      {rows.length === 0 ? null : (
        <p className={styles.count} role="status">
          {t.countLine({ folders, files: rows.length - folders })}
        </p>
      )}
      {goesOn ? <p className={styles.count}>{t.loadingMore}</p> : null}
      {query.hasNextPage && !goesOn ? (
        <Button busy={query.isFetching} onClick={() => void query.fetchNextPage()}>
          {t.loadMore}
        </Button>
      ) : null}
      {chosen.length === 0 ? null : (
        <BulkFiles serverId={id} entries={chosen} can={can} onDo={onDo} onClear={selection.clear} />
      )}
      {drops.over === undefined ? null : (
        <div className={styles.drop} role="status">
          {t.dropHere({ folder: drops.over === '/' ? t.root : drops.over })}
        </div>
      )}
    </div>
  )
}

/** Moves dragged entries to a folder. */
function useMove(serverId: string): (paths: readonly string[], into: string) => void {
  const refresh = useRefresh()
  return (paths, into) => {
    const moves = paths.map((from) => ({ from, to: joined(into, nameOf(from)) }))
    api('POST /api/servers/{id}/files/rename', { params: { id: serverId }, body: { moves } })
      .then(() => {
        toastDone(t.moved({ count: moves.length, folder: into }))
        return refresh(CHANGES)
      })
      .catch((error) => toastRefused(t.notMoved, error))
  }
}
