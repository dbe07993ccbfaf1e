import type { DeletedFile } from '@lodge/shared/deleted-files.ts'
import Trash2 from 'lucide-react/icons/trash-2'
import { useEffect } from 'react'
import { useAct } from '../../../query.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { Ago, At } from '../../../ui/data/time.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { QuickConfirm } from '../../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { hideUndo } from '../../../ui/notices/undo-toast.ts'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { FileIcon } from '../file-icon.tsx'
import { folderOf, nameOf } from '../file-names.ts'
import type { Cannot } from '../use-can.ts'
import { CHANGES } from '../use-listing.ts'
import styles from './bin.module.css'
import { useBin } from './use-bin.ts'
import { t } from './words.ts'

interface BinDialogProps {
  serverId: string
  can: Cannot
  opened: boolean
  onClose: () => void
}

/** Deleted files, which can be restored for some days. */
export default function BinDialog({ serverId, can, opened, onClose }: BinDialogProps) {
  const bin = useBin(serverId, opened)
  useEffect(hideUndo, [])
  return (
    <Dialog title={t.deletedFiles} opened={opened} onClose={onClose} wide fleeting>
      <Loaded query={bin} lines={5}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          if (items.length === 0)
            return (
              <Empty title={t.none} art="copies">
                {t.noneText}
              </Empty>
            )
          return (
            <Column gap={12}>
              <Text muted>{t.lead}</Text>
              <EmptyBin serverId={serverId} can={can} usedBytes={pages[0]?.usedBytes ?? 0} />
              <ul className={styles.list} aria-label={t.deletedFiles}>
                {items.map((item) => (
                  <Deleted key={item.id} serverId={serverId} can={can} item={item} />
                ))}
              </ul>
              {bin.hasNextPage ? (
                <Button busy={bin.isFetching} onClick={() => void bin.fetchNextPage()}>
                  {t.more}
                </Button>
              ) : null}
            </Column>
          )
        }}
      </Loaded>
    </Dialog>
  )
}

type About = Pick<BinDialogProps, 'serverId' | 'can'>

function EmptyBin({ serverId, can, usedBytes }: About & { usedBytes: number }) {
  const empty = useAct('POST /api/servers/{id}/files/bin/empty', CHANGES)
  return (
    <Row between>
      <Text small muted>
        {t.used({ size: formatBytes(usedBytes) })}
      </Text>
      <QuickConfirm
        question={t.emptyQuestion}
        verb={t.emptyVerb}
        onConfirm={() =>
          empty.mutate(
            { params: { id: serverId } },
            { onError: (error) => toastRefused(t.notDeleted, error) },
          )
        }
      >
        <Button size="small" busy={empty.isPending} disabledBecause={can.delete}>
          {t.empty}
        </Button>
      </QuickConfirm>
    </Row>
  )
}

function Deleted({ serverId, can, item }: About & { item: DeletedFile }) {
  const { id, path, kind, sizeBytes, deletedAt, keptUntil, deletedBy } = item
  const about = { params: { id: serverId }, body: { ids: [id] } }
  const restore = useAct('POST /api/servers/{id}/files/bin/restore', CHANGES)
  const remove = useAct('POST /api/servers/{id}/files/bin/delete', CHANGES)
  const name = nameOf(path)
  const folder = folderOf(path)
  const facts = { size: formatBytes(sizeBytes), when: () => <Ago at={deletedAt} /> }
  const comeBack = (): void =>
    restore.mutate(about, {
      onSuccess({ items: [now] }) {
        const other = now && now.entry.path !== path ? now.entry.name : undefined
        toastDone(t.restored({ file: path }), other && t.restoredAs({ name: other }))
      },
      onError: (error) => toastRefused(t.notRestored({ file: path }), error),
    })
  return (
    <li className={styles.item}>
      <FileIcon entry={{ name, kind }} />
      <div className={styles.about}>
        <div className={styles.name} title={path}>
          {name}
          {folder === '/' ? null : <small>{t.inFolder({ folder })}</small>}
        </div>
        <p className={styles.facts}>
          {rich(deletedBy === null ? t.facts(facts) : t.factsBy({ ...facts, who: deletedBy }))},{' '}
          {rich(t.until({ when: () => <At at={keptUntil} /> }))}
        </p>
      </div>
      <Button
        size="small"
        aria-label={t.restoreOne({ file: path })}
        busy={restore.isPending}
        disabledBecause={can.write}
        onClick={comeBack}
      >
        {t.restore}
      </Button>
      <QuickConfirm
        question={t.deleteQuestion({ file: name })}
        verb={t.deleteForGood}
        onConfirm={() =>
          remove.mutate(about, { onError: (error) => toastRefused(t.notDeleted, error) })
        }
      >
        <IconButton
          label={t.deleteOne({ file: path })}
          busy={remove.isPending}
          disabledBecause={can.delete}
        >
          <Trash2 />
        </IconButton>
      </QuickConfirm>
    </li>
  )
}
