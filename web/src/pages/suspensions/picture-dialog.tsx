import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import Modal from '../../ui/dialogs/modal.tsx'
import { Row } from '../../ui/page/layout.tsx'
import styles from './attached.module.css'
import { previewAddress, type ShownPicture } from './preview.ts'
import { t } from './words.ts'

interface PictureDialogProps {
  /** The pictures of one message. */
  pictures: readonly ShownPicture[]
  folder: string
  /** The id of the shown picture. */
  current: string
  opened: boolean
  onChange: (id: string) => void
  onClose: () => void
}

/** The previews of a message; the arrow keys go from one to the next. */
export default function PictureDialog(props: PictureDialogProps) {
  const { pictures, folder, current, opened, onChange, onClose } = props
  const at = pictures.findIndex(({ id }) => id === current)
  const turn = (by: -1 | 1): void => {
    const next = pictures[(at + by + pictures.length) % pictures.length]
    if (next) onChange(next.id)
  }
  const latest = useRef(turn)
  latest.current = turn
  // Works wherever the focus is in the dialog, even on the close button.
  useEffect(() => {
    if (!opened) return
    const control = new AbortController()
    const byKey = (event: KeyboardEvent): void => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      event.preventDefault()
      latest.current(event.key === 'ArrowLeft' ? -1 : 1)
    }
    document.addEventListener('keydown', byKey, { signal: control.signal })
    return () => control.abort()
  }, [opened])
  const picture = pictures[at]
  if (!picture) return null
  const { id, name, sizeBytes, preview } = picture
  return (
    <Modal title={name} opened={opened} width={1120} onClose={onClose}>
      <div className={styles.large}>
        <img
          key={id}
          src={previewAddress(folder, id)}
          width={preview.width}
          height={preview.height}
          alt={name}
        />
      </div>
      <div className={styles.bar}>
        {pictures.length > 1 ? (
          <Row>
            <Button size="small" icon={<ChevronLeft />} onClick={() => turn(-1)}>
              {t.previousPicture}
            </Button>
            <Button size="small" icon={<ChevronRight />} onClick={() => turn(1)}>
              {t.nextPicture}
            </Button>
            <span role="status">{t.pictureOf({ at: at + 1, count: pictures.length })}</span>
          </Row>
        ) : null}
        <a href={`${folder}/${id}`} download={name}>
          {t.download({ size: formatBytes(sizeBytes) })}
        </a>
      </div>
    </Modal>
  )
}
