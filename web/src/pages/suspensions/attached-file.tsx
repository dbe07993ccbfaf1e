import type { Attachment } from '@lodge/shared/attachments.ts'
import { type ReactNode, useState } from 'react'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import styles from './attached.module.css'
import { isShown, previewAddress, type ShownPicture, thumbnailSize } from './preview.ts'
import { t } from './words.ts'

interface AttachedFileProps {
  file: Attachment
  /** The URL of the folder of files. */
  folder: string
  icon?: ReactNode
  /** Opens a picture; receives the button, to return the focus. */
  onEnlarge: (id: string, by: HTMLElement) => void
}

/**
 * A file of a message: a link to it, with a preview of a picture, or the reason why there is none.
 */
export function AttachedFile({ file, folder, icon, onEnlarge }: AttachedFileProps) {
  const { id, name, sizeBytes, scan, scanWhy, preview } = file
  if (scan === 'waiting' || scan === 'infected')
    return (
      <span className={styles.facts}>
        <span>{name}</span>
        {scan === 'waiting' ? (
          <Pill tone="pend" title={t.scanningHelp}>
            {t.scanning}
          </Pill>
        ) : (
          <>
            <Pill tone="err">{t.infected}</Pill>
            <small>{scanWhy}</small>
          </>
        )}
      </span>
    )
  return (
    <>
      {isShown(file) ? <Thumbnail picture={file} folder={folder} onEnlarge={onEnlarge} /> : null}
      <span className={styles.facts}>
        <a href={`${folder}/${id}`} download={name}>
          {icon}
          {name}
        </a>
        <small>{formatBytes(sizeBytes)}</small>
        {preview.state === 'waiting' ? <small>{t.previewFollows}</small> : null}
        {preview.state === 'impossible' ? <small>{t.noPreview}</small> : null}
        {scan === 'unscanned' ? <Pill tone="warn">{t.unscanned}</Pill> : null}
      </span>
    </>
  )
}

interface ThumbnailProps {
  picture: ShownPicture
  folder: string
  onEnlarge: AttachedFileProps['onEnlarge']
}

/** Nothing for people who may not see it, such as an administrator viewing as a customer. */
function Thumbnail({ picture: { id, name, preview }, folder, onEnlarge }: ThumbnailProps) {
  const [lost, setLost] = useState(false)
  if (lost) return null
  return (
    <button
      type="button"
      className={styles.preview}
      aria-label={t.enlarge({ name })}
      onClick={({ currentTarget }) => onEnlarge(id, currentTarget)}
    >
      <img
        {...thumbnailSize(preview)}
        src={previewAddress(folder, id)}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setLost(true)}
      />
    </button>
  )
}
