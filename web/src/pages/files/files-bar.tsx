import ChevronDown from 'lucide-react/icons/chevron-down'
import CloudDownload from 'lucide-react/icons/cloud-download'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import FilePlus from 'lucide-react/icons/file-plus'
import FolderPlus from 'lucide-react/icons/folder-plus'
import FolderUp from 'lucide-react/icons/folder-up'
import Plug from 'lucide-react/icons/plug'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import Trash2 from 'lucide-react/icons/trash-2'
import Upload from 'lucide-react/icons/upload'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { Crumbs } from './crumbs.tsx'
import type { Doing } from './doing.ts'
import styles from './files.module.css'
import { Quota } from './quota.tsx'
import { t } from './words.ts'

interface FilesBarProps {
  serverId: string
  folder: string
  cannotWrite: string | undefined
  finding: boolean
  hidden: boolean
  onFind: () => void
  onHidden: () => void
  /** Undefined for people who may not use SFTP. */
  onSftp: (() => void) | undefined
  onBin: () => void
  onSpace: () => void
  onDo: (doing: Doing) => void
  onPick: (isFolder: boolean) => void
}

/** The bar above the list: the current folder, and the actions in it. */
export function FilesBar(props: FilesBarProps) {
  const {
    serverId,
    folder,
    cannotWrite,
    finding,
    hidden,
    onFind,
    onHidden,
    onSftp,
    onBin,
    onSpace,
    onDo,
    onPick,
  } = props
  return (
    <div className={styles.bar}>
      <Crumbs serverId={serverId} path={folder} />
      <Quota serverId={serverId} onBin={onBin} onSpace={onSpace} />
      <div className={styles.tools}>
        <IconButton label={t.find} aria-pressed={finding} onClick={onFind}>
          <Search />
        </IconButton>
        <IconButton label={t.hidden} aria-pressed={hidden} onClick={onHidden}>
          {hidden ? <Eye /> : <EyeOff />}
        </IconButton>
        <IconButton label={t.deletedFiles} onClick={onBin}>
          <Trash2 />
        </IconButton>
        {onSftp ? (
          <IconButton label={t.sftp} onClick={onSftp}>
            <Plug />
          </IconButton>
        ) : null}
        {cannotWrite === undefined ? (
          <>
            <ActionMenu
              label={t.new}
              entries={[
                {
                  label: t.newFolder,
                  icon: <FolderPlus />,
                  onSelect: () => onDo({ what: 'folder' }),
                },
                { label: t.newFile, icon: <FilePlus />, onSelect: () => onDo({ what: 'file' }) },
                {
                  label: t.fromAddress,
                  icon: <CloudDownload />,
                  onSelect: () => onDo({ what: 'pull' }),
                },
              ]}
            >
              <Button icon={<Plus />}>
                {t.new}
                <ChevronDown aria-hidden />
              </Button>
            </ActionMenu>
            <ActionMenu
              label={t.upload}
              entries={[
                { label: t.uploadFiles, icon: <Upload />, onSelect: () => onPick(false) },
                { label: t.uploadFolder, icon: <FolderUp />, onSelect: () => onPick(true) },
              ]}
            >
              <Button kind="primary" icon={<Upload />}>
                {t.upload}
                <ChevronDown aria-hidden />
              </Button>
            </ActionMenu>
          </>
        ) : (
          <>
            <Button icon={<Plus />} disabledBecause={cannotWrite}>
              {t.new}
            </Button>
            <Button kind="primary" icon={<Upload />} disabledBecause={cannotWrite}>
              {t.upload}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
