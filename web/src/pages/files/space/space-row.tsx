import type { Entry } from '@lodge/shared/files.ts'
import Trash2 from 'lucide-react/icons/trash-2'
import { IconButton } from '../../../ui/buttons/button.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { FileIcon } from '../file-icon.tsx'
import { folderOf } from '../file-names.ts'
import styles from './space.module.css'
import { t } from './words.ts'

interface SpaceRowProps {
  entry: Entry
  bytes: number
  /** Of the folder that is shown. */
  total: number
  /** The folder that is shown, if the entry may be deeper in it. */
  within: string | undefined
  cannotDelete: string | undefined
  onDelete: (entry: Entry) => void
  onGo: (path: string) => void
}

/** A folder or file, and how much of the space it takes. */
export function SpaceRow(props: SpaceRowProps) {
  const { entry, bytes, total, within, cannotDelete, onDelete, onGo } = props
  const { name, path, kind } = entry
  const percent = total === 0 ? 0 : (bytes / total) * 100
  const size = formatBytes(bytes)
  const above = folderOf(path)
  return (
    <li className={styles.item}>
      <FileIcon entry={entry} />
      <div className={styles.about}>
        <div className={styles.line}>
          <span className={styles.name} title={path}>
            {kind === 'folder' ? (
              <button
                type="button"
                className={styles.folder}
                aria-label={t.open({ folder: name, size })}
                onClick={() => onGo(path)}
              >
                {name}
              </button>
            ) : (
              name
            )}
            {within === undefined || above === within ? null : (
              <small>{t.inFolder({ folder: above })}</small>
            )}
          </span>
          <span className={styles.size}>{size}</span>
          <span className={styles.share}>{t.percent({ percent: Math.round(percent) })}</span>
        </div>
        <div className={styles.bar} aria-hidden>
          <div style={{ width: `${percent}%` }} />
        </div>
      </div>
      <IconButton
        label={t.delete({ file: path })}
        disabledBecause={cannotDelete}
        onClick={() => onDelete(entry)}
      >
        <Trash2 />
      </IconButton>
    </li>
  )
}
