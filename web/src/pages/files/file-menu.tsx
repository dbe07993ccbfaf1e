import type { Entry } from '@lodge/shared/files.ts'
import type { useNavigate } from '@tanstack/react-router'
import Archive from 'lucide-react/icons/archive'
import Clipboard from 'lucide-react/icons/clipboard'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import FolderInput from 'lucide-react/icons/folder-input'
import FolderOpen from 'lucide-react/icons/folder-open'
import PackageOpen from 'lucide-react/icons/package-open'
import Pencil from 'lucide-react/icons/pencil'
import Shield from 'lucide-react/icons/shield'
import SquarePen from 'lucide-react/icons/square-pen'
import Trash2 from 'lucide-react/icons/trash-2'
import { paths } from '../../paths.ts'
import type { MenuEntry } from '../../ui/buttons/menu.tsx'
import { copyText } from '../../ui/data/clipboard.ts'
import { saveFrom } from '../../ui/data/save-file.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { archiveAddress, saveAddress } from './content.ts'
import type { Doing } from './doing.ts'
import { isArchive, isFolder, isPackedText, kindOf, lookOf } from './file-kind.ts'
import type { Cannot } from './use-can.ts'
import { t } from './words.ts'

interface Around {
  readonly serverId: string
  readonly can: Cannot
  readonly navigate: ReturnType<typeof useNavigate>
  readonly onDo: (doing: Doing) => void
}

/** Saves one file unchanged; folders and several files as an archive. */
export function download(serverId: string, entries: readonly Entry[]): void {
  const [first] = entries
  if (first && entries.length === 1 && !isFolder(first)) saveFrom(saveAddress(serverId, first.path))
  else
    saveFrom(
      archiveAddress(
        serverId,
        entries.map(({ path }) => path),
      ),
    )
}

/** All actions on one entry. */
export function fileMenu(entry: Entry, around: Around): readonly MenuEntry[] {
  const { serverId, can, navigate, onDo } = around
  const { path } = entry
  const go = (to: typeof paths.serverFiles | typeof paths.editFile) => () =>
    void navigate({ to, params: { id: serverId }, search: { path } })
  const opening: MenuEntry = isFolder(entry)
    ? { label: t.open, icon: <FolderOpen />, onSelect: go(paths.serverFiles) }
    : lookOf(entry) === 'picture'
      ? { label: t.preview, icon: <Eye />, onSelect: () => onDo({ what: 'preview', entry }) }
      : isPackedText(entry)
        ? { label: t.preview, icon: <Eye />, onSelect: go(paths.editFile) }
        : { label: t.edit, icon: <SquarePen />, onSelect: go(paths.editFile) }
  return [
    ...(['file', 'folder'].includes(kindOf(entry)) ? [opening] : []),
    { label: t.download, icon: <Download />, onSelect: () => download(serverId, [entry]) },
    ...(isArchive(entry)
      ? [
          {
            label: t.extract,
            icon: <PackageOpen />,
            disabledBecause: can.write,
            onSelect: () => onDo({ what: 'extract', entry }),
          },
        ]
      : []),
    {
      label: t.rename,
      icon: <Pencil />,
      separated: true,
      disabledBecause: can.write,
      onSelect: () => onDo({ what: 'rename', entry }),
    },
    {
      label: t.move,
      icon: <FolderInput />,
      disabledBecause: can.write,
      onSelect: () => onDo({ what: 'move', entries: [entry] }),
    },
    {
      label: t.copy,
      icon: <Copy />,
      disabledBecause: can.write,
      onSelect: () => onDo({ what: 'copy', entries: [entry] }),
    },
    {
      label: t.archive,
      icon: <Archive />,
      disabledBecause: can.write,
      onSelect: () => onDo({ what: 'archive', entries: [entry] }),
    },
    {
      label: t.permissions,
      icon: <Shield />,
      disabledBecause: can.write,
      onSelect: () => onDo({ what: 'chmod', entries: [entry] }),
    },
    {
      label: t.copyPath,
      icon: <Clipboard />,
      onSelect: () => void copyText(path).then(() => toastDone(t.pathCopied, path)),
    },
    {
      label: t.delete,
      icon: <Trash2 />,
      danger: true,
      separated: true,
      disabledBecause: can.delete,
      onSelect: () => onDo({ what: 'delete', entries: [entry] }),
    },
  ]
}
