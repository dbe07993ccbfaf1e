import type { Attachment } from '@lodge/shared/attachments.ts'
import { type ReactNode, useRef, useState } from 'react'
import { part } from '../../ui/page/part.tsx'
import styles from './attached.module.css'
import { AttachedFile } from './attached-file.tsx'
import { isShown } from './preview.ts'
import { t } from './words.ts'

const PictureDialog = part(() => import('./picture-dialog.tsx'))

interface AttachedFilesProps {
  files: readonly Attachment[]
  /** The URL of the files. */
  folder: string
  icon?: ReactNode
}

/** The files of a message, pictures with a preview that opens in a dialog; nothing without files. */
export function AttachedFiles({ files, folder, icon }: AttachedFilesProps) {
  const [current, setCurrent] = useState<string>()
  const [opened, setOpened] = useState(false)
  const pictures = files.filter(isShown)
  // The dialog loads after the click, so it cannot know which element had the focus.
  const openedBy = useRef<HTMLElement>(null)
  const enlarge = (id: string, by: HTMLElement): void => {
    openedBy.current = by
    setCurrent(id)
    setOpened(true)
  }
  if (files.length === 0) return null
  return (
    <>
      <ul className={styles.files} aria-label={t.attached}>
        {files.map((file) => (
          <li key={file.id}>
            <AttachedFile file={file} folder={folder} icon={icon} onEnlarge={enlarge} />
          </li>
        ))}
      </ul>
      {current === undefined ? null : (
        <PictureDialog
          pictures={pictures}
          folder={folder}
          current={current}
          opened={opened}
          onChange={setCurrent}
          onClose={() => {
            setOpened(false)
            openedBy.current?.focus()
          }}
          onLost={() => setCurrent(undefined)}
        />
      )}
    </>
  )
}
