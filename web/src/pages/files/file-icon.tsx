import File from 'lucide-react/icons/file'
import FileArchive from 'lucide-react/icons/file-archive'
import FileCode from 'lucide-react/icons/file-code'
import FileCog from 'lucide-react/icons/file-cog'
import FileImage from 'lucide-react/icons/file-image'
import FileSymlink from 'lucide-react/icons/file-symlink'
import FileText from 'lucide-react/icons/file-text'
import Folder from 'lucide-react/icons/folder'
import { lookOf, type Named } from './file-kind.ts'
import styles from './files.module.css'

const ICONS = {
  folder: Folder,
  link: FileSymlink,
  picture: FileImage,
  archive: FileArchive,
  code: FileCode,
  text: FileText,
  program: FileCog,
  other: File,
}

export function FileIcon({ entry }: { entry: Named }) {
  const look = lookOf(entry)
  const Icon = ICONS[look]
  return <Icon aria-hidden className={styles.icon} data-look={look} />
}
