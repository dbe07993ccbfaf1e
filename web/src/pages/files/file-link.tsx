import type { Entry } from '@lodge/shared/files.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { kindOf, lookOf } from './file-kind.ts'
import styles from './files.module.css'

interface FileLinkProps {
  serverId: string
  entry: Entry
  onPreview: (entry: Entry) => void
  children: ReactNode
}

/** The name of an entry as a link: opens the folder, the picture, or the file as text. */
export function FileLink({ serverId, entry, onPreview, children }: FileLinkProps) {
  const { path } = entry
  const kind = kindOf(entry)
  if (kind === 'folder' || (kind === 'file' && lookOf(entry) !== 'picture')) {
    return (
      <Link
        to={kind === 'folder' ? paths.serverFiles : paths.editFile}
        params={{ id: serverId }}
        search={{ path }}
        className={styles.name ?? ''}
        data-opens
        draggable
      >
        {children}
      </Link>
    )
  }
  if (kind === 'file') {
    return (
      <button
        type="button"
        className={styles.name}
        data-opens
        draggable
        onClick={() => onPreview(entry)}
      >
        {children}
      </button>
    )
  }
  return <span className={styles.name}>{children}</span>
}
